package dev.carrel.core.policy;

import dev.carrel.core.failure.InvalidInputException;

/**
 * What a connection asks for: a name or an address, in one normal form, so that two spellings of
 * the same host are equal and nothing is judged that would not be dialled.
 */
public sealed interface Host {

    /**
     * A name of DNS: letters, digits and hyphens in lower case, without a final dot, at most 253
     * characters, each label at most 63. Its last label is not a number, so no resolver takes it
     * for an address.
     */
    record Name(String text) implements Host {

        public Name {
            if (!HostText.isName(text)) {
                throw new InvalidInputException(Visible.quoted(text) + " is not a host name");
            }
        }

        /** Whether it lies below another: {@code a.b.example} below {@code example}. */
        public boolean isBelow(Name other) {
            return text.length() > other.text.length() + 1
                    && text.endsWith(other.text)
                    && text.charAt(text.length() - other.text.length() - 1) == '.';
        }

        /** Whether it is a single label. */
        public boolean isSingleLabel() {
            return text.indexOf('.') < 0;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** An address, written as such. */
    record Literal(IpAddress address) implements Host {

        @Override
        public String toString() {
            return address.inUrl();
        }
    }

    /**
     * Reads what came over a connection. Upper case and one final dot are equal to their normal
     * form; an IPv6 address stands in brackets. Nothing is converted: other characters, percent
     * signs, zones, and numbers that only some programs take for an address are refused.
     *
     * @throws InvalidInputException saying what is odd about it; the text is escaped and bounded
     */
    static Host parse(String text) {
        return HostText.parse(text);
    }

    /**
     * Reads what a person wrote into settings. Beyond {@link #parse} it takes names of other
     * scripts and converts them; characters that this conversion would drop or fold in silence are
     * refused.
     *
     * @throws InvalidInputException saying what is odd about it
     */
    static Host parseSetting(String text) {
        return HostText.parse(HostText.ascii(text));
    }
}
