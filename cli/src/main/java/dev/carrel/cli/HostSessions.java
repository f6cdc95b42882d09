package dev.carrel.cli;

import dev.carrel.core.adapter.AgentEvent;
import dev.carrel.core.agent.AgentRequest;
import dev.carrel.core.agent.AgentRun;
import dev.carrel.core.agent.AgentStatus;
import dev.carrel.core.agent.Agents;
import dev.carrel.core.apply.ApplyPlan;
import dev.carrel.core.overlay.DiffFormat;
import dev.carrel.core.overlay.RepoChanges;
import dev.carrel.core.policy.AgentSettings;
import dev.carrel.core.policy.EgressEvent;
import dev.carrel.core.policy.EgressPolicy;
import dev.carrel.core.policy.EgressRules;
import dev.carrel.core.policy.ViewMode;
import dev.carrel.core.session.ApplyChoice;
import dev.carrel.core.session.CommandRequest;
import dev.carrel.core.session.CommandResult;
import dev.carrel.core.session.LogEntry;
import dev.carrel.core.session.Session;
import dev.carrel.core.session.SessionEgress;
import dev.carrel.core.session.SessionRequest;
import dev.carrel.core.session.SessionSummary;
import dev.carrel.core.session.Sessions;
import dev.carrel.core.session.Settings;
import dev.carrel.core.session.SweepReport;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Consumer;

/**
 * The real sessions of this machine.
 *
 * @param progress what is shown of the work; cleared when it is done
 */
record HostSessions(Sessions sessions, Settings settings, Progress progress)
        implements CoreSessions {

    @Override
    public CoreSession create(SessionRequest request) throws InterruptedException {
        try {
            return new HostSession(sessions.create(request));
        } finally {
            progress.clear();
        }
    }

    @Override
    public CoreSession find(String reference) throws InterruptedException {
        return new HostSession(sessions.find(reference));
    }

    @Override
    public List<SessionSummary> list() throws InterruptedException {
        return sessions.list();
    }

    @Override
    public List<String> ids() {
        return sessions.ids();
    }

    @Override
    public String remove(String reference) throws InterruptedException {
        return sessions.remove(reference, Sessions.Running.END).value();
    }

    @Override
    public void removeIdle(String reference) throws InterruptedException {
        sessions.remove(reference, Sessions.Running.REFUSE);
    }

    @Override
    public List<String> explain(SessionRequest request, CommandRequest command)
            throws InterruptedException {
        return sessions.explain(request, command);
    }

    @Override
    public SweepReport sweep() throws InterruptedException {
        return sessions.sweep();
    }

    @Override
    public SweepReport previewSweep() {
        return sessions.previewSweep();
    }

    @Override
    public CoreAgents agents(AgentSettings wanted) {
        return new HostAgents(Agents.open(sessions, wanted, settings), progress);
    }

    private record HostAgents(Agents agents, Progress progress) implements CoreAgents {

        @Override
        public AgentRun start(AgentRequest request, Consumer<AgentEvent> events)
                throws InterruptedException {
            try {
                return agents.start(request, events);
            } finally {
                progress.clear();
            }
        }

        @Override
        public List<AgentStatus> list() throws InterruptedException {
            return agents.list();
        }

        @Override
        public void close() {
            agents.close();
        }
    }

    @Override
    public boolean claimOverdueSweep() {
        return sessions.claimOverdueSweep();
    }

    private record HostSession(Session session) implements CoreSession {

        @Override
        public String id() {
            return session.id().value();
        }

        @Override
        public boolean canApply() {
            return switch (session.mode()) {
                case ViewMode.Overlay() -> true;
                case ViewMode.HostReadonly _ -> false;
            };
        }

        @Override
        public List<String> repos() {
            return session.repoNames();
        }

        @Override
        public CommandResult run(CommandRequest request) throws InterruptedException {
            return session.run(request);
        }

        @Override
        public List<String> explain(CommandRequest request) throws InterruptedException {
            return session.explain(request);
        }

        @Override
        public SessionSummary summary() throws InterruptedException {
            return session.summary();
        }

        @Override
        public List<RepoChanges> changes(List<String> paths, boolean ignored)
                throws InterruptedException {
            return session.changes(paths, ignored);
        }

        @Override
        public void printDiff(
                List<String> paths,
                boolean ignored,
                DiffFormat format,
                boolean colour,
                OutputStream to)
                throws InterruptedException {
            session.printDiff(paths, ignored, format, colour, to);
        }

        @Override
        public List<String> writePatch(List<String> paths, boolean ignored, OutputStream to)
                throws InterruptedException {
            return session.writePatch(paths, ignored, to);
        }

        @Override
        public ApplyPlan planApply(ApplyChoice choice) throws InterruptedException {
            return session.planApply(choice);
        }

        @Override
        public ApplyPlan apply(ApplyChoice choice, Consumer<ApplyPlan> announce)
                throws InterruptedException {
            return session.apply(choice, announce);
        }

        @Override
        public ApplyPlan planUndo(boolean partial) throws InterruptedException {
            return session.planUndo(partial);
        }

        @Override
        public ApplyPlan undo(boolean partial, Consumer<ApplyPlan> announce)
                throws InterruptedException {
            return session.undo(partial, announce);
        }

        @Override
        public List<String> discard(List<String> paths) throws InterruptedException {
            return session.discard(paths);
        }

        @Override
        public List<LogEntry> log() {
            return session.log();
        }

        @Override
        public CoreEgress egress() {
            return new HostEgress(session.egress());
        }
    }

    private record HostEgress(SessionEgress egress) implements CoreEgress {

        @Override
        public boolean sharesHost() {
            return egress.sharesHost();
        }

        @Override
        public EgressPolicy own() {
            return egress.own();
        }

        @Override
        public EgressRules added() {
            return egress.added();
        }

        @Override
        public boolean allow(List<String> hosts) throws InterruptedException {
            return egress.allow(hosts);
        }

        @Override
        public void deny(List<String> hosts) throws InterruptedException {
            egress.deny(hosts);
        }

        @Override
        public void reset(List<String> hosts) throws InterruptedException {
            egress.reset(hosts);
        }

        @Override
        public List<EgressEvent> events() {
            return egress.events();
        }

        @Override
        public SessionEgress.Following follow() {
            return egress.follow();
        }
    }
}
