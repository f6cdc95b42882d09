package dev.carrel.bench;

import dev.carrel.core.session.KeptRunning;
import dev.carrel.core.session.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The same work beside no other session and beside two hundred. */
record ManySessions(Workbench bench, Path repository, List<Place> places) {

    private static final int OTHERS = 200;
    private static final String NAME = "kept";

    /** One folder of sessions. */
    private record Place(int others, Path workspaces, Library library, Session session) {
        String name(String what) {
            return what + ", " + others + " others";
        }
    }

    static ManySessions create(Workbench bench) throws Exception {
        Path repository = bench.repository("many", 20);
        List<Place> places = new ArrayList<>();
        for (int others : List.of(0, OTHERS)) {
            Path workspaces = bench.directory().resolve("beside" + others);
            Library library = Library.at(bench, workspaces);
            Session session = library.create(repository, NAME);
            KeptRunning kept = session.keepRunning();
            Runtime.getRuntime().addShutdownHook(new Thread(kept::close));
            for (int i = 0; i < others; i++) {
                library.create(repository);
            }
            places.add(new Place(others, workspaces, library, session));
        }
        return new ManySessions(bench, repository, places);
    }

    Contest exec() {
        return contest(
                "A command beside other sessions, from the command line",
                "carrel exec",
                12,
                place ->
                        Contender.of(
                                place.name("carrel exec"),
                                () ->
                                        carrel(
                                                place,
                                                "exec",
                                                place.session().id().value(),
                                                "--",
                                                "true")));
    }

    Contest execByName() {
        return contest(
                "The same, the session called by its name",
                "carrel exec NAME",
                12,
                place ->
                        Contender.of(
                                place.name("carrel exec NAME"),
                                () -> carrel(place, "exec", NAME, "--", "true")));
    }

    Contest find() {
        return contest(
                "Finding a session by name beside others and running a command, from the library",
                "find and run",
                40,
                place ->
                        Contender.of(
                                place.name("find and run"),
                                () ->
                                        Library.run(
                                                place.library().sessions().find(NAME),
                                                "/usr/bin/true")));
    }

    Contest create() {
        return contest(
                "Making a session of a given name beside others, from the library",
                "create",
                20,
                place -> {
                    List<Session> made = new ArrayList<>();
                    return Contender.of(
                            place.name("create"),
                            Contender.Action.NOTHING,
                            () -> made.add(place.library().create(repository, "made")),
                            () -> place.library().remove(made.removeLast()));
                });
    }

    private interface At {
        Contender at(Place place);
    }

    private Contest contest(String title, String what, int rounds, At contender) {
        return new Contest(
                title,
                "Nothing may grow with the number of sessions on disk.",
                places.getFirst().name(what),
                2,
                rounds,
                places.stream().map(contender::at).toList());
    }

    private void carrel(Place place, String... words) throws Exception {
        bench.run(
                repository,
                place.workspaces(),
                Workbench.words(List.of(bench.carrel().toString()), words));
    }
}
