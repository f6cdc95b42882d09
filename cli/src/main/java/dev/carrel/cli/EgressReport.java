package dev.carrel.cli;

import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRule;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.HostCount;
import dev.carrel.core.policy.Upstream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a session may reach and did reach, as text and as JSON. */
record EgressReport(String session, CoreEgress egress) {

    /** A rule, whether it allows, and where it comes from. */
    private record Row(String effect, EgressRule rule, String from) {}

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        add(egress.own().rules(), "session", rows);
        add(egress.added(), "added", rows);
        return rows;
    }

    private static void add(EgressRules rules, String from, List<Row> rows) {
        rules.allow().forEach(rule -> rows.add(new Row("allow", rule, from)));
        rules.deny().forEach(rule -> rows.add(new Row("deny", rule, from)));
    }

    List<String> lines() {
        if (egress.sharesHost()) {
            return List.of(
                    session + " shares the whole network of the host (sandbox.unshare_net: false)");
        }
        List<String> lines = new ArrayList<>();
        List<Row> rows = rows();
        if (rows.stream().noneMatch(row -> row.effect().equals("allow"))) {
            lines.add(
                    "no host can be reached; to change that: carrel egress "
                            + session
                            + " allow HOST");
        }
        if (!rows.isEmpty()) {
            Table table = new Table().row("RULE", "HOST", "FROM");
            rows.forEach(row -> table.row(row.effect(), row.rule().text(), row.from()));
            lines.addAll(table.lines());
        }
        lines.addAll(settings());
        List<HostCount> counts = HostCount.of(egress.events());
        if (!counts.isEmpty()) {
            lines.add("");
            lines.addAll(table(counts));
        }
        return lines;
    }

    private List<String> settings() {
        EgressPolicy own = egress.own();
        List<String> lines = new ArrayList<>();
        own.hostPorts()
                .forEach(port -> lines.add("port " + port + " of the host's loopback is reached"));
        own.hosts().forEach((name, address) -> lines.add(name + " is at " + address));
        upstream().ifPresent(url -> lines.add("everything goes through " + url));
        return lines;
    }

    private Optional<String> upstream() {
        return egress.own().upstream().map(Upstream::withoutCredentials).map(Human::oneLine);
    }

    private static List<String> table(List<HostCount> counts) {
        Table table =
                new Table().row("HOST", "PORT", "ALLOWED", "DENIED", "FAILED", "SENT", "RECEIVED");
        for (HostCount count : counts) {
            table.row(
                    count.host().isEmpty() ? "-" : Human.oneLine(count.host()),
                    Integer.toString(count.port()),
                    Long.toString(count.allowed()),
                    Long.toString(count.denied()),
                    Long.toString(count.failed()),
                    Human.size(count.up()),
                    Human.size(count.down()));
        }
        return table.lines();
    }

    Json json() {
        EgressPolicy own = egress.own();
        Json.Fields hosts = Json.object();
        own.hosts().forEach((name, address) -> hosts.put(name.text(), address.toString()));
        List<Json> ports =
                own.hostPorts().stream()
                        .<Json>map(port -> new Json.Literal(port.toString()))
                        .toList();
        return Json.object()
                .put("session", session)
                .put("network", egress.sharesHost() ? "host" : "own")
                .put("rules", new Json.Array(rows().stream().map(EgressReport::json).toList()))
                .put("hostPorts", new Json.Array(ports))
                .put("hosts", hosts)
                .putIfPresent("upstream", upstream())
                .put(
                        "counts",
                        new Json.Array(
                                HostCount.of(egress.events()).stream()
                                        .map(EgressReport::json)
                                        .toList()));
    }

    private static Json json(Row row) {
        return Json.object()
                .put("effect", row.effect())
                .put("rule", row.rule().text())
                .put("from", row.from());
    }

    private static Json json(HostCount count) {
        return Json.object()
                .put("host", count.host())
                .put("port", count.port())
                .put("allowed", count.allowed())
                .put("denied", count.denied())
                .put("failed", count.failed())
                .put("sent", count.up())
                .put("received", count.down());
    }
}
