package dev.carrel.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carrel.core.posix.ProcessIdentity;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MembersTest {

    private static final Namespaces SESSION = new Namespaces(1, 2);
    private static final long USER = 10;
    private static final long DEAD_USER = 11;

    private static Member command(long pid, long parent) {
        return new Member(new ProcessIdentity(pid, 0), parent, SESSION, false);
    }

    private static Member pause(long pid, long parent) {
        return new Member(new ProcessIdentity(pid, 0), parent, SESSION, true);
    }

    private static List<Long> orphans(Member... members) {
        return Members.orphans(List.of(members), Set.of(USER)).stream().map(Member::pid).toList();
    }

    @Test
    void theCommandsOfLivingUsersAndWhatIsBelowThemAreAnsweredFor() {
        assertThat(orphans(command(20, USER), command(21, 20), command(22, 21))).isEmpty();
    }

    @Test
    void theCommandsOfDeadUsersAreOrphans() {
        assertThat(orphans(command(20, 1), command(21, 20), command(30, DEAD_USER)))
                .containsExactly(20L, 21L, 30L);
    }

    @Test
    void aChildWhoseMonitorWasKilledIsAnOrphan() {
        assertThat(orphans(command(21, 1), command(40, USER))).containsExactly(21L);
    }

    @Test
    void aPauseIsAnOrphanEvenBelowALivingUser() {
        assertThat(orphans(pause(20, USER), pause(21, 20), command(22, 21)))
                .containsExactly(20L, 21L, 22L);
    }

    @Test
    void aCircleOfParentsEnds() {
        assertThat(orphans(command(20, 21), command(21, 20))).containsExactly(20L, 21L);
    }

    @Test
    void whatAKilledMonitorLeftIsUnsupervisedButThePauseIsNot() {
        List<Member> members =
                List.of(pause(20, 1), command(21, 20), command(30, USER), command(40, 1));
        assertThat(Members.unsupervised(members, Set.of(USER)))
                .extracting(Member::pid)
                .containsExactly(40L);
    }
}
