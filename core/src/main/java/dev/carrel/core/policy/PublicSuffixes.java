package dev.carrel.core.policy;

import java.util.Set;

/**
 * Names below which strangers have names of their own. No complete list: that has ten thousand
 * entries and changes every week. It catches what people write by accident.
 */
final class PublicSuffixes {

    /** The second level of country registries, where it is one of these. */
    private static final Set<String> SECOND_LEVEL =
            Set.of(
                    "ac", "co", "com", "edu", "go", "gob", "gov", "gv", "ltd", "me", "ne", "net",
                    "nom", "or", "org", "plc", "sch");

    /** Where anybody gets a subdomain by signing up. */
    private static final Set<String> SHARED =
            Set.of(
                    "amazonaws.com",
                    "s3.amazonaws.com",
                    "appspot.com",
                    "azureedge.net",
                    "azurewebsites.net",
                    "blob.core.windows.net",
                    "blogspot.com",
                    "cloudapp.net",
                    "cloudfront.net",
                    "deno.dev",
                    "firebaseapp.com",
                    "fly.dev",
                    "github.io",
                    "gitlab.io",
                    "glitch.me",
                    "herokuapp.com",
                    "hf.space",
                    "netlify.app",
                    "ngrok-free.app",
                    "ngrok.io",
                    "onrender.com",
                    "pages.dev",
                    "railway.app",
                    "readthedocs.io",
                    "repl.co",
                    "replit.app",
                    "run.app",
                    "surge.sh",
                    "trycloudflare.com",
                    "vercel.app",
                    "web.app",
                    "workers.dev");

    private PublicSuffixes() {}

    /** A name such as {@code co.uk}: a known second level below a country's two letters. */
    static boolean isRegistry(Host.Name name) {
        String[] labels = name.text().split("\\.", -1);
        return labels.length == 2 && labels[1].length() == 2 && SECOND_LEVEL.contains(labels[0]);
    }

    /** A name such as {@code github.io}, below which anybody can publish. */
    static boolean isShared(Host.Name name) {
        return SHARED.contains(name.text());
    }
}
