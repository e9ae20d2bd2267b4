// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.faults.app.Point;
import dev.idempotency.faults.history.FaultKind;
import dev.idempotency.faults.history.Promise;
import dev.idempotency.faults.history.Verdict;
import dev.idempotency.jdbc.Database;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Effect and record in one transaction: whatever breaks at whatever step, there is one effect. Each fault hits calls that are held
 * up at every step, at once: a third of them goes on as it strikes, a third while it lasts, and a third when it is over.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ExactlyOnceRules {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Promise ONCE = Promise.exactlyOnce(LEASE);

    /** Calls that are held up at each point at once. */
    private static final int BATCH = 30;

    /** Rounds that are played if need be, until every step was hit. */
    private static final int MIN_ROUNDS = 10;

    /** Before its claim is granted no call counts as hit. */
    private static final Set<Point> HIT = EnumSet.complementOf(EnumSet.of(Point.BEFORE_CLAIM));

    /** Where an owner stands without a lock on its record, so that it can be overtaken while it is paused. */
    private static final Set<Point> OVERTAKEN =
            EnumSet.of(Point.AFTER_CLAIM, Point.BEFORE_EFFECT, Point.AFTER_EFFECT, Point.BEFORE_COMPLETION);

    private final Database database;
    private final int calls;
    private DatabaseRig rig;
    private DatabaseRig.Node victim;
    private DatabaseRig.Node other;
    private int hit;

    ExactlyOnceRules(Database database, int calls) {
        this.database = database;
        this.calls = calls;
    }

    @BeforeAll
    void start() {
        rig = new DatabaseRig(database, LEASE);
        victim = rig.startNode();
        other = rig.startNode();
    }

    @AfterAll
    void stop() throws Exception {
        System.out.println(hit + " calls were hit by a fault on " + database);
        rig.close();
    }

    /**
     * Plays a fault until it has hit its share of the calls, at every step.
     *
     * @param percent of all calls that are to be hit
     */
    private void play(String fault, int percent, Consumer<Sweep> strikes) {
        String name = "joined, " + database.vendor() + ": " + fault;
        int wanted = calls * Settings.ROUNDS * percent / 100;
        Verdict all = Verdict.NOTHING;
        Map<Point, Integer> hits = new EnumMap<>(Point.class);
        for (int round = 0; all.hit() < wanted || (round < MIN_ROUNDS && !HIT.equals(hits.keySet())); round++) {
            Sweep sweep = new Sweep(rig.driver(), name, ONCE, "/effects", EnumSet.allOf(Point.class));
            for (Map.Entry<Point, Verdict> found : play(sweep, strikes).entrySet()) {
                all = all.plus(found.getValue());
                if (found.getValue().hit() > 0) {
                    hits.merge(found.getKey(), found.getValue().hit(), Integer::sum);
                }
            }
        }
        hit += all.hit();
        Table.FAULTS.add(name, all);
        Table.STEPS.add(name, hits);
        assertThat(hits.keySet()).as("where a fault has hit calls").isEqualTo(HIT);
    }

    private Map<Point, Verdict> play(Sweep sweep, Consumer<Sweep> strikes) {
        victim.instance().awaitReady();
        other.instance().awaitReady();
        sweep.hold(victim.instance(), BATCH);
        strikes.accept(sweep);
        sweep.releaseAll();
        rig.look(sweep);
        sweep.finish(rig.ready());
        rig.look(sweep);
        sweep.count(rig::count);
        Map<Point, Verdict> verdicts = sweep.verdicts();
        assertThat(verdicts.values())
                .allSatisfy(verdict -> assertThat(verdict.effects())
                        .as("effects, one for each operation")
                        .isEqualTo(verdict.operations()))
                .anySatisfy(verdict -> assertThat(verdict.hit())
                        .as("calls that the fault has hit")
                        .isPositive());
        return verdicts;
    }

    private void playLink(String fault, int percent, Consumer<Link> breaks) {
        play(fault, percent, sweep -> {
            sweep.strike(() -> {
                sweep.letFirstThirdGo();
                breaks.accept(victim.link());
            });
            sweep.letSecondThirdGo(Point.BEFORE_COMPLETION);
            victim.link().heal();
            sweep.note(FaultKind.HEALED);
        });
    }

    @Test
    void connectionsThatAreCutAtAnyStepLeaveOneEffect() {
        playLink("connections cut", 30, Link::cut);
    }

    @Test
    void connectionsThatAreRefusedAtAnyStepLeaveOneEffect() {
        playLink("connections refused", 10, Link::refuse);
    }

    @Test
    void repliesThatAreLostAtAnyStepLeaveOneEffect() {
        playLink("replies lost", 15, Link::loseReplies);
    }

    @Test
    void halfOpenConnectionsAtAnyStepLeaveOneEffect() {
        playLink("connections half open", 5, Link::halfOpen);
    }

    @Test
    void anOwnerThatIsPausedBeyondItsLeaseAtAnyStepLeavesOneEffect() {
        play("SIGSTOP beyond the lease", 15, sweep -> {
            sweep.pause(victim.instance());
            sweep.awaitTakeOver(other.instance(), OVERTAKEN);
            sweep.resume(victim.instance());
        });
    }

    @Test
    void anApplicationThatIsKilledAtAnyStepLeavesOneEffect() {
        play("kill -9 of the application", 5, sweep -> {
            sweep.letFirstThirdGo();
            sweep.kill(victim.instance());
            victim = other;
            other = rig.startNode();
        });
    }

    @Test
    void aDatabaseThatIsKilledAtAnyStepLeavesOneEffect() {
        play("kill -9 of the database", 12, sweep -> {
            sweep.strike(() -> {
                sweep.letFirstThirdGo();
                rig.server().kill();
            });
            sweep.letSecondThirdGo(Point.BEFORE_COMPLETION);
            rig.server().start();
            sweep.note(FaultKind.HEALED);
        });
    }

    /** Every COMMIT has reached the server and been carried out when it dies, and no reply has left it. */
    @Test
    void aDatabaseThatIsKilledBetweenCommitAndReplyLeavesOneEffect() {
        play("kill -9 of the database between COMMIT and reply", 8, sweep -> {
            sweep.strike(() -> {
                victim.link().loseReplies();
                int committing = sweep.letGo(Point.BEFORE_COMMIT);
                await().atMost(Trial.LIMIT).until(() -> rig.committed(sweep.prefix(Point.BEFORE_COMMIT)) == committing);
                rig.server().kill();
            });
            victim.link().heal();
            rig.server().start();
            sweep.note(FaultKind.HEALED);
        });
    }
}
