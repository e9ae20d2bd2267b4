// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What the publishers say is signed, is; with one byte changed, or under another secret, it is not. */
class PublishedVectorsTest {

    private static final String SQUARE_BODY =
            "{\"merchant_id\":\"MLEFBHHSJGVHD\",\"type\":\"webhooks.test_notification\","
                    + "\"event_id\":\"ac3ac95b-f97d-458c-a6e6-18981597e05f\",\"created_at\":\"2022-07-13T20:30:59.037339943Z\","
                    + "\"data\":{\"type\":\"webhooks\",\"id\":\"bc368e64-01aa-407e-b46e-3231809b1129\"}}";

    private record Vector(String name, SignatureScheme scheme, Secret secret, long seconds, TestDelivery delivery) {

        Verification verified(TestDelivery some, Secret with) {
            return scheme.verify(some, List.of(with), Instant.ofEpochSecond(seconds));
        }
    }

    private static final List<Vector> VECTORS = List.of(
            new Vector(
                    "V1 Standard Webhooks v1",
                    SignatureSchemes.standardWebhooks(),
                    Vectors.STANDARD_SECRET,
                    1614265330,
                    Vectors.standard()),
            new Vector(
                    "V2 Standard Webhooks v1a",
                    SignatureSchemes.standardWebhooks(),
                    Vectors.STANDARD_PUBLIC_KEY,
                    1614265330,
                    Vectors.standard().replacing("webhook-signature", Vectors.STANDARD_ASYMMETRIC_SIGNATURE)),
            new Vector(
                    "V3 Svix",
                    SignatureSchemes.svix(),
                    Secret.of("whsec_" + "plJ3nmyCDGBKInavdOK15jsl"),
                    1731705121,
                    new TestDelivery("{\"event_type\":\"ping\",\"data\":{\"success\":true}}")
                            .with("svix-id", "msg_loFOjxBNrRLzqYUf")
                            .with("svix-timestamp", "1731705121")
                            .with("svix-signature", "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=")),
            new Vector(
                    "V4 GitHub",
                    SignatureSchemes.github(),
                    Secret.of("It's a Secret to Everybody"),
                    0,
                    new TestDelivery("Hello, World!")
                            .with(
                                    "X-Hub-Signature-256",
                                    "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17")),
            new Vector(
                    "V5 Slack",
                    SignatureSchemes.slack(),
                    Secret.of("8f742231b10e8888abcd99yyyzzz85a5"),
                    1531420618,
                    Vectors.slack()),
            new Vector(
                    "V6 Square",
                    SignatureSchemes.square("https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9"),
                    Secret.of("Ibxx_5AKakO-3qeNVR61Dw"),
                    0,
                    new TestDelivery(SQUARE_BODY)
                            .with("x-square-hmacsha256-signature", "GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4=")),
            new Vector(
                    "V7 Square",
                    SignatureSchemes.square("https://webhook.site/webhooks"),
                    Secret.of("signature-key"),
                    0,
                    new TestDelivery("{\"data\":{\"type\":\"webhooks\",\"id\":\">id<\"}}")
                            .with("x-square-hmacsha256-signature", "Cxt7+aTi4rKgcA0bC4g9EHdVtLSDWdqccmL5MvihU4U=")),
            new Vector("V8 Stripe", SignatureSchemes.stripe(), Vectors.STRIPE_SECRET, 1614265330, Vectors.stripe()),
            new Vector(
                    "V9 Shopify",
                    SignatureSchemes.shopify(),
                    Secret.of("hush"),
                    0,
                    new TestDelivery("{\"id\":820982911946154508}")
                            .with("X-Shopify-Hmac-SHA256", "qBvrsZF7RfB1iS6BX6IHqJTp5L911P7intnPeTPsH0I=")));

    @TestFactory
    List<DynamicTest> everyPublishedSignatureIsVerified() {
        return VECTORS.stream()
                .map(vector -> DynamicTest.dynamicTest(
                        vector.name(),
                        () -> assertThat(vector.verified(vector.delivery(), vector.secret()))
                                .isEqualTo(new Verification.Verified())))
                .toList();
    }

    @TestFactory
    List<DynamicTest> noOtherBytesAreVerified() {
        return VECTORS.stream()
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> {
                    byte[] original = vector.delivery().body();
                    for (int i = 0; i < original.length; i++) {
                        byte[] changed = original.clone();
                        changed[i] ^= 1;
                        assertThat(vector.verified(vector.delivery().saying(changed), vector.secret()))
                                .isEqualTo(new Verification.Refused(Refusal.SIGNATURE_WRONG));
                    }
                }))
                .toList();
    }

    @TestFactory
    List<DynamicTest> noOtherSecretVerifiesThem() {
        return VECTORS.stream()
                .map(vector -> DynamicTest.dynamicTest(vector.name(), () -> {
                    Secret other = vector.secret() == Vectors.STANDARD_PUBLIC_KEY
                            ? Secret.of(
                                    "whpk_" + "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=") // RFC 8032, section 7.1
                            : Secret.of("C2FVsBQIhrscChlQIMV+b5sSYspob7oD");
                    assertThat(vector.verified(vector.delivery(), other))
                            .isEqualTo(new Verification.Refused(Refusal.SIGNATURE_WRONG));
                }))
                .toList();
    }
}
