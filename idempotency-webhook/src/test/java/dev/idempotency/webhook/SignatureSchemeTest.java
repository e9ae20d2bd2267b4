// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import static dev.idempotency.webhook.Vectors.STANDARD_ASYMMETRIC_SIGNATURE;
import static dev.idempotency.webhook.Vectors.STANDARD_PUBLIC_KEY;
import static dev.idempotency.webhook.Vectors.STANDARD_SECRET;
import static dev.idempotency.webhook.Vectors.STANDARD_SIGNATURE;
import static dev.idempotency.webhook.Vectors.STANDARD_TIME;
import static dev.idempotency.webhook.Vectors.STRIPE_SECRET;
import static dev.idempotency.webhook.Vectors.STRIPE_SIGNATURE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The negative set of Standard Webhooks and of Stripe, rotation, time, and what a secret must be like. */
class SignatureSchemeTest {

    private static final Secret OTHER_SECRET = Secret.of("whsec_" + "C2FVsBQIhrscChlQIMV+b5sSYspob7oD");
    private static final String WRONG = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=";

    private static Verification standard(TestDelivery delivery, Instant now) {
        return SignatureSchemes.standardWebhooks().verify(delivery, List.of(STANDARD_SECRET), now);
    }

    private static Verification standard(TestDelivery delivery) {
        return standard(delivery, STANDARD_TIME);
    }

    private static Verification signedBy(String signatures) {
        return standard(Vectors.standard().replacing("webhook-signature", signatures));
    }

    private static Verification stripe(String header, Instant now) {
        return SignatureSchemes.stripe().verify(Vectors.stripe(header), List.of(STRIPE_SECRET), now);
    }

    private static void assertVerified(Verification verification) {
        assertThat(verification).isEqualTo(new Verification.Verified());
    }

    private static void assertRefused(Verification verification, Refusal reason) {
        assertThat(verification).isEqualTo(new Verification.Refused(reason));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= | SIGNATURE_UNKNOWN",
                "v1, | SIGNATURE_UNKNOWN",
                "v1 | SIGNATURE_UNKNOWN",
                "'' | SIGNATURE_UNKNOWN",
                "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= | SIGNATURE_UNKNOWN",
                "v1,not base64! | SIGNATURE_WRONG", // "not" is base64
                "v1,%%% | SIGNATURE_UNKNOWN",
                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1O | SIGNATURE_WRONG",
                "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= | SIGNATURE_WRONG",
                "v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= | SIGNATURE_UNKNOWN",
            })
    void aSignatureThatIsNoneIsRefused(String signatures, Refusal reason) {
        assertRefused(signedBy(signatures), reason);
    }

    @Test
    void oneOfSeveralSignaturesIsEnoughWhereverItStands() {
        for (String signatures : List.of(
                STANDARD_SIGNATURE + " " + WRONG,
                WRONG + " " + STANDARD_SIGNATURE,
                "v2,x v1, %% v1,%% " + WRONG + " " + STANDARD_SIGNATURE + " v0,y",
                STANDARD_ASYMMETRIC_SIGNATURE + " " + STANDARD_SIGNATURE)) {
            assertVerified(signedBy(signatures));
        }
        assertVerified(standard(Vectors.standard()
                .replacing("webhook-signature", WRONG)
                .with("webhook-signature", STANDARD_SIGNATURE)));
    }

    @Test
    void oneOfSeveralSecretsIsEnough() {
        for (List<Secret> secrets : List.of(
                List.of(OTHER_SECRET, STANDARD_SECRET),
                List.of(STANDARD_SECRET, OTHER_SECRET),
                List.of(STANDARD_PUBLIC_KEY, STANDARD_SECRET))) {
            assertVerified(SignatureSchemes.standardWebhooks().verify(Vectors.standard(), secrets, STANDARD_TIME));
        }
        assertRefused(
                SignatureSchemes.standardWebhooks().verify(Vectors.standard(), List.of(), STANDARD_TIME),
                Refusal.SIGNATURE_WRONG);
    }

    @Test
    void aPublicKeyVerifiesAsymmetricSignaturesOnly() {
        SignatureScheme scheme = SignatureSchemes.standardWebhooks();
        List<Secret> key = List.of(STANDARD_PUBLIC_KEY);

        assertVerified(scheme.verify(
                Vectors.standard()
                        .replacing("webhook-signature", "v1a,AAAA " + WRONG + " " + STANDARD_ASYMMETRIC_SIGNATURE),
                key,
                STANDARD_TIME));
        assertRefused(scheme.verify(Vectors.standard(), key, STANDARD_TIME), Refusal.SIGNATURE_WRONG);
        assertRefused(
                standard(Vectors.standard().replacing("webhook-signature", STANDARD_ASYMMETRIC_SIGNATURE)),
                Refusal.SIGNATURE_WRONG);
    }

    @ParameterizedTest
    @CsvSource({"webhook-id, ID_MISSING", "webhook-timestamp, TIMESTAMP_MISSING", "webhook-signature, SIGNATURE_MISSING"
    })
    void noneOfTheHeadersMayBeMissingOrRepeated(String header, Refusal missing) {
        assertRefused(standard(Vectors.standard().without(header)), missing);
        if (!header.equals("webhook-signature")) {
            TestDelivery repeated = Vectors.standard();
            String value = repeated.headers(header).get(0);
            assertRefused(
                    standard(repeated.with(header, value)),
                    Refusal.valueOf(missing.name().replace("MISSING", "INVALID")));
        }
    }

    @Test
    void aFullStopInTheIdIsRefused() {
        // The signed bytes are those of the vector, divided in another way.
        TestDelivery shifted = Vectors.standard("1614265330.{\"test\": 2432232314}")
                .replacing("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek.")
                .replacing("webhook-timestamp", "1614265330");
        assertRefused(standard(shifted), Refusal.ID_INVALID);
        assertRefused(standard(Vectors.standard().replacing("webhook-id", " ")), Refusal.ID_INVALID);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello",
                "",
                "1614265330.0",
                "+1614265330",
                "-1",
                "0x60",
                " 1614265330",
                "16142653301614265330",
                "١٦١٤"
            })
    void aTimestampIsDecimalDigits(String timestamp) {
        assertRefused(
                standard(Vectors.standard().replacing("webhook-timestamp", timestamp)), Refusal.TIMESTAMP_INVALID);
    }

    @Test
    void fiveMinutesInBothDirectionsAreTolerated() {
        assertVerified(standard(Vectors.standard(), STANDARD_TIME.plusSeconds(300)));
        assertVerified(standard(Vectors.standard(), STANDARD_TIME.minusSeconds(300)));
        assertRefused(standard(Vectors.standard(), STANDARD_TIME.plusSeconds(301)), Refusal.TIMESTAMP_TOO_OLD);
        assertRefused(standard(Vectors.standard(), STANDARD_TIME.minusSeconds(301)), Refusal.TIMESTAMP_TOO_NEW);
    }

    @Test
    void theToleranceCanBeChangedAndSwitchedOff() {
        SignatureScheme narrow = SignatureSchemes.standardWebhooks().withTolerance(Duration.ofSeconds(10));
        SignatureScheme off = SignatureSchemes.standardWebhooks().withTolerance(Duration.ZERO);
        List<Secret> secrets = List.of(STANDARD_SECRET);

        assertRefused(
                narrow.verify(Vectors.standard(), secrets, STANDARD_TIME.plusSeconds(11)), Refusal.TIMESTAMP_TOO_OLD);
        assertRefused(
                narrow.verify(Vectors.standard(), secrets, STANDARD_TIME.minusSeconds(11)), Refusal.TIMESTAMP_TOO_NEW);
        assertVerified(off.verify(Vectors.standard(), secrets, STANDARD_TIME.plusSeconds(1_000_000)));
        assertThatThrownBy(() -> narrow.withTolerance(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("negative");
    }

    @Test
    void stripeBoundsThePastOnly() {
        String header = "t=1614265330,v1=" + STRIPE_SIGNATURE;
        assertVerified(stripe(header, STANDARD_TIME.plusSeconds(300)));
        assertRefused(stripe(header, STANDARD_TIME.plusSeconds(301)), Refusal.TIMESTAMP_TOO_OLD);
        assertVerified(stripe(header, STANDARD_TIME.minusSeconds(1_000_000)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t=1614265330,v1=@,v1=00",
                "t=1614265330,v1=00,v1=@",
                "v1=@,t=1614265330",
                "t=1614265330, v1=@ ,v0=ff",
                "t=1614265330,v1=zz,v1,=x,v1=@",
            })
    void stripeTakesAnyOfSeveralSignaturesAndSkipsWhatItCannotRead(String header) {
        assertVerified(stripe(header.replace("@", STRIPE_SIGNATURE), STANDARD_TIME));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "t=1614265330,v0=@ | SIGNATURE_UNKNOWN",
                "t=1614265330 | SIGNATURE_UNKNOWN",
                "v1=@ | TIMESTAMP_MISSING",
                "t=x,v1=@ | TIMESTAMP_INVALID",
                "t=1614265330,t=1614265331,v1=@ | TIMESTAMP_INVALID",
                "t=1614265331,v1=@ | SIGNATURE_WRONG",
            })
    void stripeRefusesWhatIsNotSigned(String header, Refusal reason) {
        assertRefused(stripe(header.replace("@", STRIPE_SIGNATURE), STANDARD_TIME), reason);
    }

    @Test
    void slackBoundsBothDirections() {
        Instant time = Instant.ofEpochSecond(1531420618);
        List<Secret> secrets = List.of(Secret.of("8f742231b10e8888abcd99yyyzzz85a5"));
        SignatureScheme slack = SignatureSchemes.slack();

        assertRefused(slack.verify(Vectors.slack(), secrets, time.plusSeconds(301)), Refusal.TIMESTAMP_TOO_OLD);
        assertRefused(slack.verify(Vectors.slack(), secrets, time.minusSeconds(301)), Refusal.TIMESTAMP_TOO_NEW);
    }

    @Test
    void manySignaturesAreNotAllLookedAt() {
        String many = (WRONG + " ").repeat(100) + STANDARD_SIGNATURE;
        assertRefused(signedBy(many), Refusal.SIGNATURE_WRONG);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "whsec_",
                "whsec_c2hvcnQ=",
                "whsec_not-base64-at-all!",
                "whpk_",
                "whpk_AAAA",
                "whsk_AAAA",
                "short"
            })
    void aSecretOfAnotherKindIsNamedWithoutBeingShown(String secret) {
        assertThatThrownBy(() -> SignatureSchemes.standardWebhooks().requireUsable(Secret.of(secret)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .satisfies(e ->
                        assertThat(e.getMessage()).startsWith("must ").doesNotContain("AAAA", "c2hvcnQ", "base64-at"));
    }

    @Test
    void aPublicKeyIsNoSharedSecret() {
        assertThatThrownBy(() -> SignatureSchemes.github().requireUsable(STANDARD_PUBLIC_KEY))
                .hasMessage("must not be a public key: this scheme signs with a shared secret");
    }

    @Test
    void secretsAreNeverPrinted() {
        assertThat(Stream.of(STANDARD_SECRET, STANDARD_PUBLIC_KEY, STRIPE_SECRET)
                        .map(Secret::toString))
                .containsOnly("Secret[hidden]");
        assertThatThrownBy(() -> Secret.of(" \n")).hasMessage("a secret must not be blank");
    }
}
