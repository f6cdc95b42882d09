package dev.carrel.core.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carrel.core.failure.InvalidInputException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreePathTest {

    @Test
    void theRootHasNoComponents() {
        assertThat(TreePath.of("")).isEqualTo(TreePath.ROOT);
        assertThat(TreePath.ROOT.isRoot()).isTrue();
        assertThat(TreePath.ROOT.depth()).isZero();
        assertThat(TreePath.ROOT.components()).isEmpty();
        assertThat(TreePath.ROOT.parent()).isEmpty();
        assertThatIllegalStateException().isThrownBy(TreePath.ROOT::name);
    }

    @Test
    void hasComponentsAParentAndAName() {
        TreePath path = TreePath.of("a/bc/d");

        assertThat(path.depth()).isEqualTo(3);
        assertThat(path.components()).extracting(String::new).containsExactly("a", "bc", "d");
        assertThat(path.parent()).contains(TreePath.of("a/bc"));
        assertThat(TreePath.of("a").parent()).contains(TreePath.ROOT);
        assertThat(path.name()).isEqualTo(Names.bytes("d"));
        assertThat(TreePath.ROOT.child("a").child(Names.bytes("bc")).child("d")).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "a/", "a//b", ".", "..", "a/../b", "a/./b", "a\0b"})
    void refusesWhatLeavesATree(String path) {
        assertThatThrownBy(() -> TreePath.of(path)).isInstanceOf(InvalidInputException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "\0"})
    void refusesChildrenThatAreNotOneComponent(String name) {
        assertThatThrownBy(() -> TreePath.ROOT.child(name))
                .isInstanceOf(InvalidInputException.class);
    }

    @Test
    void dotsAreAllowedInsideNames() {
        assertThat(TreePath.of("...").depth()).isEqualTo(1);
        assertThat(TreePath.of(".git/..x").depth()).isEqualTo(2);
    }

    @Test
    void startsWithWholeComponentsOnly() {
        TreePath path = TreePath.of("ab/c");

        assertThat(path.startsWith(TreePath.ROOT)).isTrue();
        assertThat(path.startsWith(path)).isTrue();
        assertThat(path.startsWith(TreePath.of("ab"))).isTrue();
        assertThat(path.startsWith(TreePath.of("a"))).isFalse();
        assertThat(TreePath.of("ab").startsWith(path)).isFalse();
    }

    @Test
    void sortsByComponentsSoThatADirectoryIsFollowedByItsContents() {
        List<TreePath> sorted =
                Stream.of("a.txt", "a/b", "b", "a", "a/b/c", "", "a!")
                        .map(TreePath::of)
                        .sorted()
                        .toList();

        assertThat(sorted)
                .extracting(TreePath::toString)
                .containsExactly("", "a", "a/b", "a/b/c", "a!", "a.txt", "b");
    }

    @Test
    void sortsBytesUnsigned() {
        TreePath ascii = TreePath.of("z");
        TreePath high = TreePath.ofBytes("\u00ff".getBytes(ISO_8859_1));

        assertThat(ascii).isLessThan(high);
    }

    @Test
    void isNotChangedThroughTheArraysItGaveOrTook() {
        byte[] name = Names.bytes("abc");
        TreePath path = TreePath.ROOT.child(name);
        name[0] = '/';
        path.bytes()[0] = '/';
        path.name()[0] = '/';

        assertThat(path).isEqualTo(TreePath.of("abc"));
    }
}
