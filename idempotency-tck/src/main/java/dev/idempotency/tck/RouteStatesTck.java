// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.Cooldown;
import dev.idempotency.breaker.RouteFailure;
import dev.idempotency.breaker.RoutePolicy;
import dev.idempotency.breaker.RouteState;
import dev.idempotency.breaker.Suspension;
import dev.idempotency.breaker.SuspensionCause;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RouteStates;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a store must do that shares how routes stand ({@link IdempotencyStore#routeStates}), beside {@link
 * IdempotencyStoreTck}, whose methods these are. The backend need not be emptied: each test works on a bizType of its own.
 */
public abstract class RouteStatesTck {

    private @Nullable IdempotencyStore first;
    private @Nullable IdempotencyStore second;
    private final String bizType = "tck." + Operation.newKey().hex().substring(0, 20);

    /** Opens one more instance of the store on the one backend, in the one namespace. */
    protected abstract IdempotencyStore openStore() throws Exception;

    /** Gives up what {@link #openStore} took; does nothing unless overridden. */
    protected void closeStore(IdempotencyStore store) throws Exception {}

    /** Returns once the store's clock has moved on by at least this much. */
    protected abstract void elapse(Duration duration) throws Exception;

    /** How often each race is run: 500 times unless overridden. */
    protected int rounds() {
        return 500;
    }

    /** Waits by this machine's clock: {@link #elapse} for a store whose clock cannot be moved. */
    protected static void waitFor(Duration duration) throws InterruptedException {
        IdempotencyStoreTck.waitFor(duration);
    }

    @BeforeEach
    void openBothStores() throws Exception {
        first = openStore();
        second = openStore();
    }

    @AfterEach
    void closeBothStores() throws Exception {
        here().replace(bizType, seen(), Payload.EMPTY);
        for (IdempotencyStore store : new IdempotencyStore[] {first, second}) {
            if (store != null) {
                closeStore(store);
            }
        }
    }

    private RouteStates here() {
        return states(first);
    }

    private RouteStates elsewhere() {
        return states(second);
    }

    private static RouteStates states(@Nullable IdempotencyStore store) {
        RouteStates states = store == null ? null : store.routeStates();
        if (states == null) {
            throw new AssertionError("the store does not share how routes stand");
        }
        return states;
    }

    private Payload seen() {
        return elsewhere().read().of(bizType);
    }

    @Test
    void stateThatNobodyHasWrittenIsEmpty() {
        assertThat(here().read().states()).doesNotContainKey(bizType);
        assertThat(seen()).isEqualTo(Payload.EMPTY);
    }

    @Test
    void writtenStateIsSeenByTheOtherInstance() {
        assertThat(here().replace(bizType, Payload.EMPTY, bytes(0, 1, -1, 39, 92)))
                .isTrue();
        assertThat(seen()).isEqualTo(bytes(0, 1, -1, 39, 92));

        assertThat(elsewhere().replace(bizType, bytes(0, 1, -1, 39, 92), bytes(7)))
                .isTrue();
        assertThat(here().read().of(bizType)).isEqualTo(bytes(7));
    }

    @Test
    void stateThatWasNotSeenIsNotOverwritten() {
        assertThat(here().replace(bizType, bytes(1), bytes(2))).isFalse();
        assertThat(seen()).isEqualTo(Payload.EMPTY);
        here().replace(bizType, Payload.EMPTY, bytes(1));

        assertThat(elsewhere().replace(bizType, Payload.EMPTY, bytes(2))).isFalse();
        assertThat(elsewhere().replace(bizType, bytes(1, 0), bytes(2))).isFalse();
        assertThat(elsewhere().replace(bizType, bytes(2), Payload.EMPTY)).isFalse();
        assertThat(seen()).isEqualTo(bytes(1));
    }

    @Test
    void stateIsForgottenAndWrittenAgain() {
        here().replace(bizType, Payload.EMPTY, bytes(1));

        assertThat(here().replace(bizType, bytes(1), Payload.EMPTY)).isTrue();
        assertThat(seen()).isEqualTo(Payload.EMPTY);

        assertThat(elsewhere().replace(bizType, Payload.EMPTY, bytes(1))).isTrue();
        assertThat(seen()).isEqualTo(bytes(1));
    }

    @Test
    void bizTypesAreKeptApart() {
        String folded = bizType.toUpperCase(Locale.ROOT);
        here().replace(bizType, Payload.EMPTY, bytes(1));
        assertThat(here().replace(folded, Payload.EMPTY, bytes(2))).isTrue();

        assertThat(seen()).isEqualTo(bytes(1));
        assertThat(elsewhere().read().of(folded)).isEqualTo(bytes(2));
        here().replace(folded, bytes(2), Payload.EMPTY);
    }

    @Test
    void asLargeAStateAsThereCanBeIsKept() {
        RoutePolicy policy = new RoutePolicy(0, 100, 1_000, 0, Operation.LONG, Cooldown.of(Operation.LONG), 1);
        Instant now = here().read().now();
        RouteState full = RouteState.CLOSED;
        for (int i = 0; i < 2 * RoutePolicy.MAX_FAILURES; i++) {
            full = full.failed(policy, failure(Operation.newKey(), i), now.plusSeconds(i * 9L));
        }

        assertThat(here().replace(bizType, Payload.EMPTY, Payload.of(full.encode())))
                .isTrue();

        assertThat(RouteState.decode(seen().bytes())).isEqualTo(full);
    }

    @Test
    void timeIsTheBackendsAndMovesOn() throws Exception {
        Instant before = here().read().now();
        elapse(Duration.ofMillis(200));

        assertThat(elsewhere().read().now()).isAfterOrEqualTo(before.plusMillis(200));
    }

    @Test
    void oneOfTwoWritersWins() {
        List<Race.Round<Payload, Boolean, Boolean>> race = Race.run(
                rounds(),
                this::seen,
                seen -> here().replace(
                                bizType,
                                seen,
                                Operation.payload(Operation.newKey().hex())),
                seen -> elsewhere()
                        .replace(
                                bizType,
                                seen,
                                Operation.payload(Operation.newKey().hex())));

        assertThat(race).allSatisfy(round -> assertThat(round.left()).isNotEqualTo(round.right()));
    }

    /** As instances do it: each reads, decides and writes, again if another one was faster. */
    @Test
    void failuresOnTwoInstancesShareOneWindowAndOneOfThemSuspends() {
        int each = rounds() / 10;
        RoutePolicy policy = new RoutePolicy(2 * each, 0, 1, 0, Operation.LONG, Cooldown.of(Operation.LONG), 1);

        List<Race.Round<Integer, Boolean, Boolean>> race =
                Race.run(each, () -> 0, any -> suspends(here(), policy), any -> suspends(elsewhere(), policy));

        long suspended = race.stream()
                .mapToLong(round -> (round.left() ? 1 : 0) + (round.right() ? 1 : 0))
                .sum();
        assertThat(suspended).isEqualTo(1);
        assertThat(cause()).isEqualTo(SuspensionCause.FAILURES);
    }

    private @Nullable SuspensionCause cause() {
        RouteState state = RouteState.decode(seen().bytes());
        Suspension suspension = state == null ? null : state.suspension();
        return suspension == null ? null : suspension.cause();
    }

    private boolean suspends(RouteStates states, RoutePolicy policy) {
        RecordKey key = Operation.newKey();
        RouteState after = change(states, (state, now) -> state.failed(policy, failure(key, 1), now));
        Suspension suspension = after.suspension();
        return suspension != null && suspension.recordKey().equals(key.hex());
    }

    private RouteState change(RouteStates states, BiFunction<RouteState, Instant, RouteState> step) {
        while (true) {
            RouteStates.Seen read = states.read();
            Payload seen = read.of(bizType);
            RouteState state = seen.size() == 0 ? RouteState.CLOSED : RouteState.decode(seen.bytes());
            if (state == null) {
                throw new AssertionError("the state has been damaged");
            }
            RouteState after = step.apply(state, read.now());
            if (states.replace(bizType, seen, Payload.of(after.encode()))) {
                return after;
            }
        }
    }

    private static RouteFailure failure(RecordKey key, int attempts) {
        return new RouteFailure(key, 1, attempts, 0);
    }

    private static Payload bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return Payload.of(bytes);
    }
}
