// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.key.RecordKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RouteStateTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Cooldown GROWING = new Cooldown(Duration.ofSeconds(30), 2, Duration.ofSeconds(100));
    private static final RoutePolicy THREE = new RoutePolicy(3, 0, 1, 0, Duration.ofSeconds(10), GROWING, 2);
    private static final RoutePolicy HALF = new RoutePolicy(0, 50, 10, 0, Duration.ofSeconds(10), GROWING, 1);
    private static final RoutePolicy REPEATS = new RoutePolicy(0, 0, 1, 3, Duration.ofSeconds(10), GROWING, 1);

    @Test
    void theThirdOperationThatFailsWithinTheWindowSuspends() {
        RouteState two = failed(failed(RouteState.CLOSED, THREE, "a", 0), THREE, "b", 9_000);
        assertThat(two.suspension()).isNull();

        RouteState three = failed(two, THREE, "c", 9_999);

        assertThat(three.suspension())
                .isEqualTo(new Suspension(
                        SuspensionCause.FAILURES,
                        at(9_999),
                        at(39_999),
                        Duration.ofSeconds(30),
                        1,
                        key("c").hex(),
                        7,
                        List.of()));
        assertThat(three.isSuspended(at(39_998))).isTrue();
        assertThat(three.isSuspended(at(39_999))).isFalse();
    }

    @Test
    void aFailureExactlyAsOldAsTheWindowNoLongerCounts() {
        RouteState two = failed(failed(RouteState.CLOSED, THREE, "a", 0), THREE, "b", 9_000);
        assertThat(failed(two, THREE, "c", 10_000).suspension()).isNull();
    }

    @Test
    void oneOperationCountsOnceByItsLatestFailure() {
        RouteState state = RouteState.CLOSED;
        for (int i = 0; i < 50; i++) {
            state = failed(state, THREE, "a", i * 200L);
        }
        state = failed(state, THREE, "b", 9_900);
        assertThat(state.suspension()).isNull();
        assertThat(failed(state, THREE, "c", 19_000).suspension()).isNotNull();
    }

    @Test
    void repeatsOfOneOperationSuspendWhenTheyAreMoreThanAreBorne() {
        assertThat(attempt(RouteState.CLOSED, REPEATS, "a", 4, 0).suspension()).isNull();
        assertThat(attempt(RouteState.CLOSED, REPEATS, "a", 5, 0).suspension().cause())
                .isEqualTo(SuspensionCause.REPEATS);
    }

    @Test
    void aRateSaysNothingBelowTheMinimum() {
        RouteState state = RouteState.CLOSED;
        for (int i = 0; i < 9; i++) {
            state = failed(state, HALF, "f" + i, i);
        }
        assertThat(state.suspension()).isNull();
        assertThat(failed(state, HALF, "f9", 9).suspension().cause()).isEqualTo(SuspensionCause.FAILURE_RATE);
    }

    @Test
    void theShareOfFailedOperationsSuspends() {
        RouteState state = RouteState.CLOSED.succeeded(HALF, 10, at(0));
        for (int i = 0; i < 9; i++) {
            state = failed(state, HALF, "f" + i, 1_000);
        }
        assertThat(state.suspension()).isNull();
        assertThat(failed(state, HALF, "f8", 2_000).suspension())
                .as("the same again")
                .isNull();
        assertThat(failed(state, HALF, "f9", 2_000).suspension()).isNotNull();
    }

    @Test
    void whatSucceededBeforeTheWindowDoesNotCountIntoTheRate() {
        RouteState state = RouteState.CLOSED.succeeded(HALF, 1_000, at(0));
        for (int i = 0; i < 9; i++) {
            state = failed(state, HALF, "f" + i, 10_000);
        }
        assertThat(failed(state, HALF, "f9", 10_001).suspension()).isNotNull();
    }

    @Test
    void anOperationThatFailsAgainLaterIsMovedWithinTheRate() {
        RouteState state = failed(RouteState.CLOSED, HALF, "a", 0);
        for (int i = 1; i < 30; i++) {
            state = failed(state, HALF, "a", i * 900L);
        }
        assertThat(state.window().tenths().stream()
                        .mapToLong(RouteWindow.Tenth::attempted)
                        .sum())
                .isEqualTo(1);
    }

    @Test
    void nothingButTrialsSaysAnythingWhileItIsSuspended() {
        RouteState suspended = suspended();
        assertThat(failed(suspended, THREE, "d", 100)).isSameAs(suspended);
        assertThat(suspended.succeeded(HALF, 5, at(100))).isSameAs(suspended);
        assertThat(suspended.trialSucceeded(5)).isSameAs(suspended);
        assertThat(suspended.tried(THREE, 5, LEASE, at(29_999))).isSameAs(suspended);
        assertThat(RouteState.CLOSED.tried(THREE, 5, LEASE, at(0))).isSameAs(RouteState.CLOSED);
    }

    @Test
    void noMoreTrialsRunThanThePolicyAllows() {
        RouteState both = suspended().tried(THREE, 1, LEASE, at(30_000)).tried(THREE, 2, LEASE, at(30_001));
        assertThat(both.suspension().trials()).hasSize(2);
        assertThat(both.tried(THREE, 3, LEASE, at(89_999))).isSameAs(both);
        assertThat(both.trialReturned(1)
                        .tried(THREE, 3, LEASE, at(89_999))
                        .suspension()
                        .hasTrial(3))
                .isTrue();
    }

    @Test
    void aTrialThatWentSilentMakesRoomButStillDecidesIfItEnds() {
        RouteState silent = suspended().tried(HALF, 1, LEASE, at(30_000));
        RouteState next = silent.tried(HALF, 2, LEASE, at(90_000));
        assertThat(next.suspension().hasTrial(2)).isTrue();
        assertThat(next.trialSucceeded(1)).isEqualTo(RouteState.CLOSED);
    }

    @Test
    void trialsInMindHaveABound() {
        RouteState state = suspended();
        for (int i = 1; i < 1_000; i++) {
            state = state.tried(HALF, i, LEASE, at(30_000 + i * 60_000L));
        }
        assertThat(state.suspension().trials()).hasSize(40);
    }

    @Test
    void theSuccessOfATrialForgetsEverything() {
        RouteState trial = suspended().tried(THREE, 1, LEASE, at(30_000)).tried(THREE, 2, LEASE, at(30_000));
        RouteState closed = trial.trialSucceeded(2);
        assertThat(closed).isEqualTo(RouteState.CLOSED);
        assertThat(trial(closed, THREE, "d", 1, 30_001).suspension())
                .as("the other trial fails like any attempt")
                .isNull();
    }

    @Test
    void theFailureOfATrialSuspendsForLongerUpToTheLimit() {
        RouteState state = suspended();
        long now = 0;
        for (int seconds : new int[] {60, 100, 100}) {
            now = Duration.between(START, state.suspension().until()).toMillis();
            state = trial(state.tried(THREE, seconds, LEASE, at(now)), THREE, "z", seconds, now);
            assertThat(state.suspension().cause()).isEqualTo(SuspensionCause.TRIAL_FAILED);
            assertThat(state.suspension().cooldown()).isEqualTo(Duration.ofSeconds(seconds));
        }
        assertThat(state.suspension().count()).isEqualTo(4);
        assertThat(state.suspension().trials()).isEmpty();
    }

    @Test
    void aTrialOfAnEarlierSuspensionDecidesNothing() {
        RouteState again = trial(
                suspended().tried(THREE, 1, LEASE, at(30_000)).tried(THREE, 2, LEASE, at(30_000)),
                THREE,
                "z",
                1,
                30_001);
        assertThat(trial(again, THREE, "y", 2, 30_002)).isSameAs(again);
        assertThat(again.trialSucceeded(2)).isSameAs(again);
    }

    @Test
    void stateHasABoundWhateverFails() {
        RoutePolicy never = new RoutePolicy(0, 100, Integer.MAX_VALUE, 0, Duration.ofDays(1), GROWING, 1);
        RouteState state = RouteState.CLOSED;
        for (int i = 0; i < 2_000; i++) {
            state = failed(state, never, "f" + i, i * 40_000L);
        }
        assertThat(state.window().failures()).hasSize(RoutePolicy.MAX_FAILURES);
        assertThat(state.encode().length).isLessThan(4_000);
    }

    @Test
    void isReadAsItWasWritten() {
        RouteState counted = failed(RouteState.CLOSED.succeeded(HALF, 3, at(0)), HALF, "a", 5);
        RouteState trial = suspended().tried(THREE, Long.MAX_VALUE, LEASE, at(30_000));
        for (RouteState state : List.of(RouteState.CLOSED, counted, suspended(), trial)) {
            assertThat(RouteState.decode(state.encode())).isEqualTo(state);
        }
    }

    @Test
    void whatIsDamagedOrOfAnotherFormatIsNotRead() {
        byte[] written = suspended().encode();
        for (int length = 0; length < written.length; length++) {
            assertThat(RouteState.decode(Arrays.copyOf(written, length))).isNull();
        }
        written[0] = 2;
        assertThat(RouteState.decode(written)).isNull();
        assertThat(RouteState.decode(new byte[] {1, 127, 127, 127, 127})).isNull();
        assertThat(RouteState.decode(new byte[] {1, -1, 0, 0, 0})).isNull();
    }

    @Test
    void suspendsExactlyWhenEnoughDifferentOperationsFailedWithinTheWindow() {
        record Failure(String operation, Instant at) {}
        Random random = new Random(5);
        for (int round = 0; round < 1_000; round++) {
            RoutePolicy policy = new RoutePolicy(
                    1 + random.nextInt(4), 0, 1, 0, Duration.ofMillis(1 + random.nextInt(20)), GROWING, 1);
            List<Failure> all = new ArrayList<>();
            RouteState state = RouteState.CLOSED;
            long now = 0;
            while (state.suspension() == null && all.size() < 30) {
                now += random.nextInt(12);
                all.add(new Failure("op" + random.nextInt(5), at(now)));
                state = failed(state, policy, all.get(all.size() - 1).operation(), now);
                Instant start = at(now).minus(policy.window());
                long different = all.stream()
                        .filter(failure -> failure.at().isAfter(start))
                        .map(Failure::operation)
                        .distinct()
                        .count();
                assertThat(state.suspension() != null).isEqualTo(different >= policy.failures());
            }
        }
    }

    private static RouteState suspended() {
        RoutePolicy one = new RoutePolicy(1, 0, 1, 0, Duration.ofSeconds(10), GROWING, 1);
        return failed(RouteState.CLOSED, one, "first", 0);
    }

    private static RouteState failed(RouteState state, RoutePolicy policy, String operation, long millis) {
        return attempt(state, policy, operation, 1, millis);
    }

    private static RouteState attempt(
            RouteState state, RoutePolicy policy, String operation, int attempts, long millis) {
        return state.failed(policy, new RouteFailure(key(operation), 7, attempts, 0), at(millis));
    }

    private static RouteState trial(RouteState state, RoutePolicy policy, String operation, long id, long millis) {
        return state.failed(policy, new RouteFailure(key(operation), 7, 1, id), at(millis));
    }

    private static RecordKey key(String operation) {
        return RecordKey.builder("order").part("key", operation).build();
    }

    private static Instant at(long millis) {
        return START.plusMillis(millis);
    }
}
