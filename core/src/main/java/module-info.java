import org.jspecify.annotations.NullMarked;

/** The library: from a request to a result, without a front end. */
@NullMarked
module dev.carrel.core {
    requires static transitive org.jspecify;
    requires tools.jackson.core;

    exports dev.carrel.core.apply;
    exports dev.carrel.core.failure;
    exports dev.carrel.core.files;
    exports dev.carrel.core.host;
    exports dev.carrel.core.overlay;
    exports dev.carrel.core.policy;
    exports dev.carrel.core.process;
    exports dev.carrel.core.session;
    exports dev.carrel.core.store;
    exports dev.carrel.core.tree;
}
