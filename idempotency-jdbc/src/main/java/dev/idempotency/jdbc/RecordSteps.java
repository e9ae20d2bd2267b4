// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.CompletionResult;
import dev.idempotency.store.IdempotencyRecord;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.PreviousAttempt;
import dev.idempotency.store.RecordStateMachine;
import dev.idempotency.store.RecordStateMachine.Step;
import dev.idempotency.store.ReleaseResult;
import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import dev.idempotency.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a store on a given connection: look, let {@link RecordStateMachine} decide, and write unless the row has changed in
 * between, in which case all of it is done again. No lock is needed between the two.
 */
@SuppressWarnings("ReferenceEquality") // the state machine returns the very same record if nothing changed
final class RecordSteps {

    /** Each round is lost to a step of somebody else that was not lost. */
    private static final int MAX_ROUNDS = 100;

    private final RecordTable table;
    private final ClaimRenewals claimRenewals;

    RecordSteps(RecordTable table, ClaimRenewals claimRenewals) {
        this.table = table;
        this.claimRenewals = claimRenewals;
    }

    ClaimResult claim(Connection connection, Claim claim) throws SQLException {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Opening opening = table.begin(connection, claim);
            if (opening instanceof Opening.Begun begun) {
                return new ClaimResult.Claimed(begun.version(), 1, PreviousAttempt.NONE);
            }
            ClaimResult result = claim(connection, claim, ((Opening.Seen) opening).sight());
            if (result != null) {
                return result;
            }
        }
        throw changedTooOften();
    }

    /** {@code null} if the row has changed since. */
    private @Nullable ClaimResult claim(Connection connection, Claim claim, Sight sight) throws SQLException {
        if (!sight.readable()) {
            return new ClaimResult.Unreadable();
        }
        Step<ClaimResult> step = RecordStateMachine.claim(sight.current(), claim, sight.now());
        if (step.result() instanceof ClaimResult.OutcomeUnknown) {
            return uncertain(connection, claim);
        }
        return step.next() == sight.current() || write(connection, sight, step.next()) ? step.result() : null;
    }

    /** The end of an orphan may be in a transaction that is just being committed, so it is waited for. */
    private @Nullable ClaimResult uncertain(Connection connection, Claim claim) throws SQLException {
        Sight settled = table.lock(connection, claim.key());
        ClaimResult result = RecordStateMachine.claim(settled.current(), claim, settled.now())
                .result();
        return result instanceof ClaimResult.OutcomeUnknown ? result : null;
    }

    private boolean write(Connection connection, Sight sight, @Nullable IdempotencyRecord next) throws SQLException {
        if (next == null) {
            throw new IllegalStateException("a claim never forgets a record");
        }
        return sight.current() == null
                ? table.insert(connection, next, sight.now())
                : table.replace(connection, sight.current(), next);
    }

    List<RenewalResult> renew(Connection connection, List<Renewal> renewals) throws SQLException {
        return renewals.isEmpty() ? List.of() : claimRenewals.renew(connection, renewals);
    }

    Sight look(Connection connection, RecordKey key) throws SQLException {
        return table.look(connection, key);
    }

    CompletionResult complete(Connection connection, RecordKey key, OwnerToken owner, Completion completion)
            throws SQLException {
        if (completion instanceof Completion.Success success) {
            OptionalLong version = table.succeed(connection, key, owner, success);
            if (version.isPresent()) {
                return new CompletionResult.Applied(version.getAsLong(), Duration.ZERO);
            }
        }
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Sight sight = table.lock(connection, key);
            IdempotencyRecord current = sight.current();
            Step<CompletionResult> step = RecordStateMachine.complete(current, owner, completion, sight.now());
            if (current == null || step.next() == current) {
                return step.result();
            }
            IdempotencyRecord next = step.next() == null ? released(current, sight.now()) : step.next();
            if (table.replaceOwned(connection, current, next)) {
                return step.result();
            }
        }
        throw changedTooOften();
    }

    ReleaseResult release(Connection connection, RecordKey key, long version) throws SQLException {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Sight sight = table.lock(connection, key);
            IdempotencyRecord current = sight.current();
            if (!sight.readable()) {
                return ReleaseResult.REFUSED;
            }
            Step<ReleaseResult> step = RecordStateMachine.release(current, version, sight.now());
            if (current == null
                    || step.next() == current
                    || table.replace(connection, current, released(current, sight.now()))) {
                return step.result();
            }
        }
        throw changedTooOften();
    }

    /**
     * A record that has expired for ever. It is not deleted at once, so that the version of the next one is greater even if the
     * clock is set back.
     */
    private static IdempotencyRecord released(IdempotencyRecord current, Instant now) {
        return new IdempotencyRecord(
                current.key(),
                current.version(),
                current.status(),
                current.owner(),
                current.leaseEnd(),
                current.fingerprint(),
                current.attempts(),
                current.window(),
                Payload.EMPTY,
                current.createdAt(),
                now,
                Instant.EPOCH);
    }

    private static StoreUnavailableException changedTooOften() {
        return new StoreUnavailableException(
                "the record was changed by others " + MAX_ROUNDS + " times while one step was being decided", null);
    }
}
