package dev.carrel.core.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RulesTest {

    @Test
    void haveNoneBehindOneThatAlwaysApplies() {
        var closed = new HashSet<String>();
        for (Rule rule : Rules.ALL) {
            assertThat(closed).as("%s", rule).doesNotContain(rule.call());
            if (rule.when() instanceof Condition.Always) {
                closed.add(rule.call());
            }
        }
    }

    @Test
    void refuseConditionsThatCannotBeMeant() {
        assertThatThrownBy(() -> new Condition.OneOf(6, List.of(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Condition.NoneOf(0, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Condition.AnyBit(0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Instruction(Instruction.Code.JUMP_EQUAL, 256, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
