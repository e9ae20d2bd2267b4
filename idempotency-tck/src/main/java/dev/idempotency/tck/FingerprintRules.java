// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.breaker.BreakerPolicy;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.OwnerToken;
import org.junit.jupiter.api.Test;

abstract class FingerprintRules extends StoreRules {

    private static final Fingerprint OTHER_CONTENT = Operation.content(2);
    private static final Fingerprint OTHER_ALGORITHM = Operation.content(2, 2);

    FingerprintRules(IdempotencyStoreTck tck) {
        super(tck);
    }

    @Test
    void otherContentIsToldBeforeInProgress() {
        Operation operation = operation();
        operation.claimed();

        operation.mustAnswer(
                ClaimResult.KeyReused.class, operation.attempt().elsewhere().content(OTHER_CONTENT));
    }

    @Test
    void otherContentIsToldBeforeTheAnswerIs() {
        Operation operation = operation();
        operation.claimed().succeed();

        operation.mustAnswer(
                ClaimResult.KeyReused.class, operation.attempt().elsewhere().content(OTHER_CONTENT));
    }

    @Test
    void otherContentDoesNotRunAfterAFailure() {
        Operation operation = operation();
        operation.claimed().fail(BreakerPolicy.OFF);

        operation.mustAnswer(
                ClaimResult.KeyReused.class, operation.attempt().elsewhere().content(OTHER_CONTENT));
    }

    @Test
    void otherContentIsToldBeforeTheCoolDown() {
        Operation operation = operation();
        operation.claimed().fail(opensAt(1));

        operation.mustAnswer(
                ClaimResult.KeyReused.class, operation.attempt().elsewhere().content(OTHER_CONTENT));
    }

    @Test
    void otherContentDoesNotTakeAnOrphanOver() {
        Operation operation = operation();
        operation.claimedFor(units(1));
        elapse(units(2));

        operation.mustAnswer(ClaimResult.KeyReused.class, operation.attempt().content(OTHER_CONTENT));
        operation.mustAnswer(
                ClaimResult.KeyReused.class,
                operation.attempt().content(OTHER_CONTENT).uncertain());
    }

    @Test
    void otherContentRunsOnceTheFirstIsForgotten() {
        Operation released = operation();
        released.claimed().release();
        released.attempt().content(OTHER_CONTENT).claimed();

        Operation expired = operation();
        expired.attempt().lease(units(1)).ttl(units(1)).claimed();
        elapse(units(2));
        expired.attempt().content(OTHER_CONTENT).claimed();
        assertThat(expired.found().fingerprint()).isEqualTo(OTHER_CONTENT);
    }

    @Test
    void fingerprintsOfDifferentAlgorithmsAreNotCompared() {
        Operation operation = operation();
        Attempt owner = operation.claimed();
        operation.mustAnswer(ClaimResult.InProgress.class, operation.attempt().content(OTHER_ALGORITHM));

        owner.succeed();
        operation.mustAnswer(ClaimResult.Completed.class, operation.attempt().content(OTHER_ALGORITHM));
    }

    @Test
    void nextAttemptLeavesItsOwnFingerprint() {
        Operation failed = operation();
        failed.claimed().fail(BreakerPolicy.OFF);
        failed.attempt().content(OTHER_ALGORITHM).claimed();
        assertThat(failed.found().fingerprint()).isEqualTo(OTHER_ALGORITHM);

        Operation orphan = operation();
        orphan.claimedFor(units(1));
        elapse(units(2));
        orphan.attempt().content(OTHER_ALGORITHM).claimed();
        assertThat(orphan.found().fingerprint()).isEqualTo(OTHER_ALGORITHM);
    }

    @Test
    void fingerprintsAndTokensKeepEveryBit() {
        for (int algorithm : new int[] {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            Operation operation = operation();
            OwnerToken token = new OwnerToken(algorithm == 0 ? 0 : Long.MIN_VALUE + algorithm, -algorithm);
            byte[] digest = new byte[Fingerprint.DIGEST_BYTES];
            for (int i = 0; i < digest.length; i++) {
                digest[i] = (byte) (i * 8 + 7);
            }
            Fingerprint fingerprint = Fingerprint.of(algorithm, digest);
            Attempt owner = operation.attemptOf(token).content(fingerprint);
            owner.claimed();

            assertThat(operation.found().fingerprint()).isEqualTo(fingerprint);
            assertThat(operation.found().owner()).isEqualTo(token);
            digest[31]++;
            operation.mustAnswer(
                    ClaimResult.KeyReused.class, operation.attempt().content(Fingerprint.of(algorithm, digest)));
            owner.claimed();
            owner.succeed();
            assertThat(operation.found().fingerprint()).isEqualTo(fingerprint);
            assertThat(operation.found().owner()).isEqualTo(token);
        }
    }
}
