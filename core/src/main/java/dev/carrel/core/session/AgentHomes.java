package dev.carrel.core.session;

import dev.carrel.core.failure.HostOperationException;
import dev.carrel.core.session.SweepReport.Item;
import dev.carrel.core.session.SweepReport.Kind;
import dev.carrel.core.store.StateLayout;
import dev.carrel.core.tree.Trees;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The HOMEs of agents that ran as plain processes; each turn touches its directory's files. */
record AgentHomes(StateLayout layout) {

    /** Those in which no turn has ended since then. */
    List<Item> idleSince(Instant limit) {
        List<Item> idle = new ArrayList<>();
        try (DirectoryStream<Path> homes = Files.newDirectoryStream(layout.agents())) {
            for (Path home : homes) {
                Instant used = lastUsed(home);
                if (used.isBefore(limit)) {
                    idle.add(
                            new Item(
                                    Kind.AGENT_HOME,
                                    String.valueOf(home.getFileName()),
                                    used,
                                    Trees.diskUsage(home)));
                }
            }
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException | DirectoryIteratorException e) {
            throw new HostOperationException(
                    "cannot list " + layout.agents() + ": " + e.getMessage(), null, e);
        }
        return idle;
    }

    private static Instant lastUsed(Path home) {
        Path conversations = home.resolve("conversations.jsonl");
        return Summaries.modified(Files.exists(conversations) ? conversations : home);
    }

    void remove(Item item) {
        Trees.delete(layout.agents(), item.name());
    }
}
