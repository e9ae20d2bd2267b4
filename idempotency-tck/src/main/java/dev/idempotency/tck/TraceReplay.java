// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.PreviousAttempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Takes the steps of one trace on one operation, and tells of the store's answers in the model's words. */
final class TraceReplay {

    private static final int OWNERS = 3;

    private final ModelTrace trace;
    private final Operation operation;
    private final Duration lease;
    private final Duration ttl;
    private final BreakerPolicy breaker;
    private final List<OwnerToken> owners = new ArrayList<>();

    /** The versions that the record has had, in the order of the model's numbers 1, 2, 3... */
    private final List<Long> versions = new ArrayList<>();

    TraceReplay(ModelTrace trace, Operation operation, Duration tick) {
        this.trace = trace;
        this.operation = operation;
        this.lease = ticks(trace.policy().get(0), tick);
        this.ttl = ticks(trace.policy().get(1), tick);
        this.breaker = new BreakerPolicy(
                trace.policy().get(2),
                ticks(trace.policy().get(3), tick),
                ticks(trace.policy().get(4), tick));
        for (int i = 0; i < OWNERS; i++) {
            owners.add(OwnerToken.random());
        }
    }

    /** A little shorter, so that it is surely over when the last of its ticks is. */
    private static Duration ticks(int count, Duration tick) {
        return tick.multipliedBy(count).minus(tick.dividedBy(8));
    }

    int rounds() {
        return trace.rounds().size();
    }

    /** Takes the steps between two ticks of the clock. */
    void replay(int round) {
        List<String> done = new ArrayList<>();
        for (String expected : trace.rounds().get(round)) {
            String[] words = expected.split(" ");
            done.add(step(words) + "| " + record());
            assertThat(done)
                    .as("round %d at %s of the trace %s", round, operation.key(), trace)
                    .endsWith(expected);
        }
    }

    private String step(String[] words) {
        return switch (words[0]) {
            case "tick" -> "tick ";
            case "claim" -> claim(number(words[1]), number(words[2]), number(words[3]), number(words[4]));
            case "complete" -> complete(number(words[1]), words[2]);
            case "renew" ->
                "renew " + words[1] + " > " + (attempt(number(words[1])).renew(lease, ttl) ? "RENEWED " : "LOST ");
            case "release" -> {
                String answer = operation
                        .elsewhere()
                        .release(operation.key(), version(number(words[1])))
                        .name();
                yield "release " + words[1] + " > " + (answer.equals("ABSENT") ? "NOT_THERE" : answer) + " ";
            }
            default -> throw new IllegalStateException("a step that the kit does not know: " + words[0]);
        };
    }

    private String claim(int by, int content, int uncertain, int redriven) {
        Attempt attempt = attempt(by).content(Operation.content(content)).redriveOf(version(redriven));
        ClaimResult result = (uncertain == 1 ? attempt.uncertain() : attempt).claim();
        if (result instanceof ClaimResult.Claimed claimed) {
            IdempotencyRecord found = operation.found();
            assertThat(claimed.version()).isEqualTo(found.version());
            assertThat(claimed.attempts()).isEqualTo(found.attempts());
        }
        return "claim %d %d %d %d > %s ".formatted(by, content, uncertain, redriven, answer(result));
    }

    private static String answer(ClaimResult result) {
        if (result instanceof ClaimResult.Claimed claimed) {
            return "CLAIMED "
                    + (claimed.previous() == PreviousAttempt.FAILED
                            ? "AFTER_FAILURE"
                            : claimed.previous().name());
        }
        String name = result.getClass().getSimpleName();
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT) + " NONE";
    }

    private String complete(int by, String how) {
        CompletionResult result = attempt(by).complete(completion(how));
        String answer = result instanceof CompletionResult.Applied applied
                ? "APPLIED " + (applied.cooldown().isZero() ? 0 : 1)
                : "STALE 0";
        return "complete %d %s > %s ".formatted(by, how, answer);
    }

    private Completion completion(String how) {
        return switch (how) {
            case "SUCCEED" -> new Completion.Success(Operation.payload("answer"), ttl);
            case "FAIL" -> new Completion.Failure(Operation.payload("failure"), ttl, breaker);
            case "RELEASE" -> new Completion.Release();
            default -> throw new IllegalStateException("an end that the kit does not know: " + how);
        };
    }

    /** The owners take turns at the two instances of the store. */
    private Attempt attempt(int by) {
        Attempt attempt = operation.attemptOf(owners.get(by - 1)).lease(lease).ttl(ttl);
        return by % 2 == 0 ? attempt.elsewhere() : attempt;
    }

    private String record() {
        if (!(operation.elsewhere().find(operation.key()) instanceof Lookup.Found lookup)) {
            return "ABSENT";
        }
        IdempotencyRecord found = lookup.found();
        return "%s %d %d %d %d %d"
                .formatted(
                        found.status(),
                        owners.indexOf(found.owner()) + 1,
                        number(found.version()),
                        found.attempts(),
                        found.fingerprint().equals(Operation.content(1)) ? 1 : 2,
                        found.window().cooledUntil() == null ? 0 : 1);
    }

    /** The model's number of a version, which is a new one if it is greater than all before. */
    private int number(long version) {
        if (versions.isEmpty() || version > versions.get(versions.size() - 1)) {
            versions.add(version);
        }
        return versions.indexOf(version) + 1;
    }

    private long version(int number) {
        return number == 0 ? 0 : versions.get(number - 1);
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }
}
