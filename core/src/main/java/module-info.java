import org.jspecify.annotations.NullMarked;

/**
 * The library: from a request to a result, without a front end.
 *
 * <p>Start with {@code session}: {@code Sessions.open}, then {@code create}, {@code find}, {@code
 * list}. What it hands out is described by values of {@code policy}, {@code overlay}, {@code
 * apply}, {@code files} and {@code tree}; everything that can go wrong is in {@code failure}.
 * Nothing is printed, and no user of the library feels another through static state.
 */
@NullMarked
@SuppressWarnings("module") // the command line is built after the library
module dev.carrel.core {
    requires static transitive org.jspecify;
    requires com.networknt.schema;
    requires org.snakeyaml.engine;
    requires tools.jackson.core;
    requires tools.jackson.databind;
    requires tools.jackson.dataformat.toml;

    exports dev.carrel.core.adapter;
    exports dev.carrel.core.agent;
    exports dev.carrel.core.apply;
    exports dev.carrel.core.config;
    exports dev.carrel.core.failure;
    exports dev.carrel.core.files;
    exports dev.carrel.core.host to
            dev.carrel.cli;
    exports dev.carrel.core.overlay;
    exports dev.carrel.core.policy;
    exports dev.carrel.core.process to
            dev.carrel.cli;
    exports dev.carrel.core.session;
    exports dev.carrel.core.store to
            dev.carrel.cli;
    exports dev.carrel.core.tree;

    uses dev.carrel.core.adapter.AgentAdapter;
}
