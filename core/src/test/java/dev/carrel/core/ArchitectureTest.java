package dev.carrel.core;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.carrel.core.SourceFile.Method;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What ARCHITECTURE.md and CONTRIBUTING.md say of the code, held against it. */
class ArchitectureTest {

    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path CLASSES = Path.of("target/classes");
    private static final String[] PURE = {in("policy"), in("seccomp"), in("bwrap")};

    private static final int LONGEST_FILE = 500;
    private static final int MEDIAN_FILE = 100;
    private static final int LONGEST_METHOD = 60;

    private static PackageTable table;
    private static JavaClasses code;
    private static List<SourceFile> sources;

    @BeforeAll
    static void read() throws IOException {
        table = PackageTable.read(Path.of("../ARCHITECTURE.md"));
        code =
                new ClassFileImporter()
                        .withImportOption(location -> !location.contains("module-info"))
                        .importPath(CLASSES);
        sources = SourceFile.below(SOURCES);
        assertThat(code).as("classes in " + CLASSES.toAbsolutePath()).isNotEmpty();
        assertThat(sources).as("sources in " + SOURCES.toAbsolutePath()).isNotEmpty();
    }

    @Test
    void theTableListsExactlyThePackagesThatExist() throws IOException {
        List<String> existing = new ArrayList<>();
        code.forEach(type -> existing.add(PackageTable.shortName(type.getPackageName())));

        assertThat(table.names()).doesNotHaveDuplicates();
        assertThat(existing.stream().distinct()).containsExactlyInAnyOrderElementsOf(table.names());
    }

    @Test
    void aPackageUsesOnlyThoseAboveIt() {
        classes().should(useOnlyPackagesAbove()).check(code);
    }

    @Test
    void noSourceNamesAPackageBelowItsOwn() {
        assertThat(sources)
                .filteredOn(source -> !source.isOf("module-info.java"))
                .allSatisfy(source ->
                        assertThat(source.namedPackages())
                                .as("named in " + source.path())
                                .allMatch(named -> table.allows(source.packageName(), named)));
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching(PackageTable.ROOT + ".(**)").should().beFreeOfCycles().check(code);
    }

    @Test
    void onlyProcessStartsProcesses() {
        noClasses()
                .that()
                .resideOutsideOfPackage(in("process"))
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(ProcessBuilder.class)
                .check(code);
        noClasses()
                .should()
                .callMethodWhere(
                        target(name("exec")).and(target(owner(equivalentTo(Runtime.class)))))
                .check(code);
    }

    @Test
    void onlyPosixCallsTheCLibrary() {
        noClasses()
                .that()
                .resideOutsideOfPackage(in("posix"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.foreign..")
                .check(code);
    }

    @Test
    void purePackagesTouchNothing() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .dependOnClassesThat(
                        new DescribedPredicate<>("reach files, processes or the network") {
                            @Override
                            public boolean test(JavaClass used) {
                                return reachesTheMachine(used);
                            }
                        })
                .check(code);
    }

    private static boolean reachesTheMachine(JavaClass used) {
        String name = used.getPackageName();
        return name.equals(in("process"))
                || name.equals(in("posix"))
                // IDN turns one text into another, by a table.
                || (name.startsWith("java.net") && !used.isEquivalentTo(java.net.IDN.class))
                || name.startsWith("java.nio.channels")
                || used.isEquivalentTo(Files.class)
                || used.isEquivalentTo(Process.class)
                || used.isAssignableTo(java.io.File.class)
                || used.getName().startsWith("java.io.File")
                || used.getName().equals("java.io.RandomAccessFile");
    }

    @Test
    void theLibraryNeitherPrintsNorExits() {
        noClasses().should().accessField(System.class, "out").check(code);
        noClasses().should().accessField(System.class, "err").check(code);
        noClasses().should().callMethod(System.class, "exit", int.class).check(code);
        noClasses().should().callMethod(Runtime.class, "exit", int.class).check(code);
        noClasses().should().callMethod(Runtime.class, "halt", int.class).check(code);
    }

    @Test
    void everyPackageSaysWhatItIsFor() throws IOException {
        try (Stream<Path> paths = Files.walk(SOURCES.resolve("dev/carrel/core"), 1)) {
            List<Path> packages = paths.skip(1).filter(Files::isDirectory).toList();

            assertThat(packages)
                    .allSatisfy(directory ->
                            assertThat(directory.resolve("package-info.java"))
                                    .content()
                                    .startsWith("/**"));
        }
    }

    @Test
    void filesAreShort() {
        assertThat(sources)
                .allSatisfy(source ->
                        assertThat(source.lines())
                                .as(source.path().toString())
                                .isLessThanOrEqualTo(LONGEST_FILE));
        List<Integer> lengths = sources.stream().map(SourceFile::lines).sorted().toList();
        assertThat(lengths.get(lengths.size() / 2)).as("median of files").isLessThan(MEDIAN_FILE);
    }

    @Test
    void methodsAreShort() {
        List<Method> methods =
                sources.stream().flatMap(source -> source.methods().stream()).toList();

        assertThat(methods).hasSizeGreaterThan(sources.size());
        assertThat(methods).filteredOn(method -> method.lines() > LONGEST_METHOD).isEmpty();
    }

    private static ArchCondition<JavaClass> useOnlyPackagesAbove() {
        return new ArchCondition<>("use only packages above their own in ARCHITECTURE.md") {
            @Override
            public void check(JavaClass user, ConditionEvents events) {
                user.getDirectDependenciesFromSelf().stream()
                        .filter(use ->
                                use.getTargetClass().getPackageName().startsWith(PackageTable.ROOT))
                        .filter(use ->
                                !table.allows(
                                        user.getPackageName(),
                                        use.getTargetClass().getPackageName()))
                        .forEach(use ->
                                events.add(
                                        SimpleConditionEvent.violated(user, use.getDescription())));
            }
        };
    }

    private static String in(String name) {
        return PackageTable.ROOT + "." + name;
    }
}
