import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Replaces what javac leaves to be generated when a program runs, for switches over types and the
 * equals, hashCode and toString of records, by code that does the same. The start-up cache holds
 * lambdas and concatenations, but not those, and each costs a starting program a millisecond.
 *
 * <p>Arguments: the jars to change in place, whose classes may refer to each other.
 */
final class Unbootstrap {

    private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
    private static final ClassDesc BUILDER = ClassDesc.of("java.lang.StringBuilder");
    private static final MethodTypeDesc EQUALS = MethodTypeDesc.of(CD_boolean, CD_Object);

    private final ClassFile files;
    private final ClassModel model;
    private final List<Switch> switches = new ArrayList<>();

    private Unbootstrap(ClassFile files, byte[] content) {
        this.files = files;
        this.model = files.parse(content);
    }

    /** A switch as a method: selector and first case to try, to the number of the case. */
    private record Switch(String name, MethodTypeDesc type, List<ClassDesc> cases) {}

    public static void main(String[] jars) throws IOException {
        List<URL> path = new ArrayList<>();
        for (String jar : jars) {
            path.addAll(siblings(Path.of(jar)));
        }
        try (URLClassLoader classes = new URLClassLoader(path.toArray(URL[]::new))) {
            ClassFile files =
                    ClassFile.of(
                            ClassFile.ConstantPoolSharingOption.NEW_POOL,
                            ClassFile.ClassHierarchyResolverOption.of(
                                    ClassHierarchyResolver.ofResourceParsing(classes)));
            for (String jar : jars) {
                change(files, Path.of(jar));
            }
        }
    }

    private static List<URL> siblings(Path jar) throws IOException {
        List<URL> urls = new ArrayList<>();
        try (Stream<Path> all = Files.list(jar.toAbsolutePath().getParent())) {
            for (Path each : all.filter(file -> file.toString().endsWith(".jar")).toList()) {
                urls.add(each.toUri().toURL());
            }
        }
        return urls;
    }

    private static void change(ClassFile files, Path jar) throws IOException {
        try (FileSystem archive = FileSystems.newFileSystem(jar);
                Stream<Path> all = Files.walk(archive.getPath("/"))) {
            for (Path file : all.filter(each -> each.toString().endsWith(".class")).toList()) {
                byte[] before = Files.readAllBytes(file);
                byte[] after = new Unbootstrap(files, before).changed(before);
                if (after != before) {
                    try (OutputStream to = Files.newOutputStream(file)) {
                        to.write(after);
                    }
                }
            }
        }
    }

    private byte[] changed(byte[] before) {
        boolean has =
                model.methods().stream()
                        .flatMap(method -> method.code().stream())
                        .flatMap(code -> code.elementStream())
                        .anyMatch(each -> isTypeSwitch(each) || isOfRecord(each));
        if (!has) {
            return before;
        }
        return files.build(
                model.thisClass().asSymbol(),
                builder -> {
                    model.forEach(element -> change(builder, element));
                    switches.forEach(each -> addSwitch(builder, each));
                });
    }

    private void change(ClassBuilder builder, ClassElement element) {
        if (element instanceof MethodModel method && method.code().isPresent()) {
            DynamicCallSiteDesc site = recordSite(method);
            if (site != null) {
                builder.withMethodBody(
                        method.methodName(),
                        method.methodType(),
                        method.flags().flagsMask(),
                        code -> addRecordMethod(code, method.methodName().stringValue(), site));
                return;
            }
            if (method.code().orElseThrow().elementStream().anyMatch(Unbootstrap::isTypeSwitch)) {
                builder.transformMethod(
                        method, MethodTransform.transformingCode(this::callSwitch));
                return;
            }
        }
        builder.with(element);
    }

    // Switches.

    private static boolean isTypeSwitch(CodeElement element) {
        return element instanceof InvokeDynamicInstruction site
                && (calls(site, "java.lang.runtime.SwitchBootstraps", "typeSwitch")
                        || calls(site, "java.lang.runtime.SwitchBootstraps", "enumSwitch"))
                && site.bootstrapArgs().stream().allMatch(ClassDesc.class::isInstance);
    }

    private static boolean calls(InvokeDynamicInstruction site, String owner, String name) {
        DirectMethodHandleDesc bootstrap = site.bootstrapMethod();
        return bootstrap.owner().equals(ClassDesc.of(owner)) && bootstrap.methodName().equals(name);
    }

    private void callSwitch(CodeBuilder code, CodeElement element) {
        if (!isTypeSwitch(element)) {
            code.with(element);
            return;
        }
        InvokeDynamicInstruction site = (InvokeDynamicInstruction) element;
        List<ClassDesc> cases =
                site.bootstrapArgs().stream().map(ClassDesc.class::cast).toList();
        Switch found = new Switch("switch$" + switches.size(), site.typeSymbol(), cases);
        switches.add(found);
        code.invokestatic(
                model.thisClass().asSymbol(), found.name(), found.type(), isInterface());
    }

    private boolean isInterface() {
        return (model.flags().flagsMask() & ClassFile.ACC_INTERFACE) != 0;
    }

    private static void addSwitch(ClassBuilder builder, Switch each) {
        builder.withMethodBody(
                each.name(),
                each.type(),
                ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                code -> addSwitch(code, each.cases()));
    }

    private static void addSwitch(CodeBuilder code, List<ClassDesc> cases) {
        Label some = code.newLabel();
        code.aload(0).ifnonnull(some).iconst_m1().ireturn().labelBinding(some);
        for (int i = 0; i < cases.size(); i++) {
            Label next = code.newLabel();
            code.iload(1).loadConstant(i).if_icmpgt(next);
            code.aload(0).instanceOf(cases.get(i)).ifeq(next);
            code.loadConstant(i).ireturn().labelBinding(next);
        }
        code.loadConstant(cases.size()).ireturn();
    }

    // Records.

    private static boolean isOfRecord(CodeElement element) {
        return element instanceof InvokeDynamicInstruction site
                && calls(site, "java.lang.runtime.ObjectMethods", "bootstrap");
    }

    /** The call site of a method that does nothing else; null for all others. */
    private static DynamicCallSiteDesc recordSite(MethodModel method) {
        return method.code().orElseThrow().elementStream()
                .filter(Unbootstrap::isOfRecord)
                .map(each -> ((InvokeDynamicInstruction) each).invokedynamic().asSymbol())
                .findFirst()
                .orElse(null);
    }

    private record Component(String name, DirectMethodHandleDesc getter) {
        ClassDesc type() {
            return getter.invocationType().returnType();
        }

        void load(CodeBuilder code, ClassDesc owner, int from) {
            code.aload(from).getfield(owner, getter.methodName(), type());
        }
    }

    private void addRecordMethod(CodeBuilder code, String name, DynamicCallSiteDesc site) {
        ClassDesc owner = model.thisClass().asSymbol();
        Object[] arguments = site.bootstrapArgs();
        String names = (String) arguments[1];
        List<Component> components = new ArrayList<>();
        for (String each : names.isEmpty() ? new String[0] : names.split(";")) {
            components.add(
                    new Component(each, (DirectMethodHandleDesc) arguments[components.size() + 2]));
        }
        switch (name) {
            case "equals" -> addEquals(code, owner, components);
            case "hashCode" -> addHashCode(code, owner, components);
            case "toString" -> addToString(code, owner, components);
            default -> throw new IllegalStateException("a record's method " + name);
        }
    }

    private static void addEquals(CodeBuilder code, ClassDesc owner, List<Component> components) {
        Label other = code.newLabel();
        Label same = code.newLabel();
        Label unequal = code.newLabel();
        code.aload(0).aload(1).if_acmpne(other).iconst_1().ireturn().labelBinding(other);
        code.aload(1).instanceOf(owner).ifne(same).iconst_0().ireturn().labelBinding(same);
        code.aload(1).checkcast(owner).astore(2);
        for (Component each : components) {
            each.load(code, owner, 0);
            each.load(code, owner, 2);
            switch (TypeKind.from(each.type())) {
                case INT, BYTE, SHORT, CHAR, BOOLEAN -> code.if_icmpne(unequal);
                case LONG -> code.lcmp().ifne(unequal);
                case FLOAT, DOUBLE ->
                        code.invokestatic(
                                        boxed(each.type()),
                                        "compare",
                                        MethodTypeDesc.of(CD_int, each.type(), each.type()))
                                .ifne(unequal);
                case REFERENCE ->
                        code.invokestatic(
                                        OBJECTS,
                                        "equals",
                                        MethodTypeDesc.of(CD_boolean, CD_Object, CD_Object))
                                .ifeq(unequal);
                case VOID -> throw new IllegalStateException("a component of no type");
            }
        }
        code.iconst_1().ireturn().labelBinding(unequal).iconst_0().ireturn();
    }

    /** The class with the static methods for values of a type. */
    private static ClassDesc boxed(ClassDesc primitive) {
        return switch (primitive.descriptorString()) {
            case "I" -> ClassDesc.of("java.lang.Integer");
            case "J" -> ClassDesc.of("java.lang.Long");
            case "Z" -> ClassDesc.of("java.lang.Boolean");
            case "B" -> ClassDesc.of("java.lang.Byte");
            case "S" -> ClassDesc.of("java.lang.Short");
            case "C" -> ClassDesc.of("java.lang.Character");
            case "F" -> ClassDesc.of("java.lang.Float");
            case "D" -> ClassDesc.of("java.lang.Double");
            default -> OBJECTS;
        };
    }

    private static void addHashCode(CodeBuilder code, ClassDesc owner, List<Component> components) {
        code.iconst_0();
        for (Component each : components) {
            code.bipush(31).imul();
            each.load(code, owner, 0);
            ClassDesc argument = each.type().isPrimitive() ? each.type() : CD_Object;
            code.invokestatic(
                    boxed(each.type()), "hashCode", MethodTypeDesc.of(CD_int, argument));
            code.iadd();
        }
        code.ireturn();
    }

    private static void addToString(CodeBuilder code, ClassDesc owner, List<Component> components) {
        String name = owner.displayName();
        String simple = name.substring(name.lastIndexOf('$') + 1).replaceFirst("^[0-9]+", "");
        code.new_(BUILDER).dup().invokespecial(BUILDER, "<init>", MethodTypeDesc.of(ClassDesc.ofDescriptor("V")));
        append(code, simple + "[");
        for (int i = 0; i < components.size(); i++) {
            Component each = components.get(i);
            append(code, (i == 0 ? "" : ", ") + each.name() + "=");
            each.load(code, owner, 0);
            append(code, each.type());
        }
        append(code, "]");
        code.invokevirtual(BUILDER, "toString", MethodTypeDesc.of(CD_String)).areturn();
    }

    private static void append(CodeBuilder code, String text) {
        code.loadConstant(text);
        append(code, CD_String);
    }

    private static void append(CodeBuilder code, ClassDesc type) {
        ClassDesc taken =
                switch (TypeKind.from(type)) {
                    case BYTE, SHORT -> CD_int;
                    case REFERENCE -> type.equals(CD_String) ? CD_String : CD_Object;
                    case INT, LONG, CHAR, BOOLEAN, FLOAT, DOUBLE, VOID -> type;
                };
        code.invokevirtual(BUILDER, "append", MethodTypeDesc.of(BUILDER, taken));
    }
}
