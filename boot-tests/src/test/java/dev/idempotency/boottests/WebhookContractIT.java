// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows C75 to C81 and section M (R483, R524, R118), each counting what has happened. */
class WebhookContractIT extends WebhookContract {

    private static final String SQUARE_URL = "https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9";
    private static final String STRIPE_BODY = "{\n  \"id\": \"evt_test_webhook\",\n  \"object\": \"event\"\n}";
    private static final String SENDERS = "idempotency.webhook.senders.";

    @Override
    List<String> properties() {
        List<String> properties = super.properties();
        sender(
                properties,
                "asymmetric",
                "standard-webhooks",
                "whpk_" + "1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=",
                "/hooks/asymmetric");
        sender(properties, "svix", "svix", "whsec_" + "plJ3nmyCDGBKInavdOK15jsl", "/hooks/svix");
        sender(properties, "stripe", "stripe", "whsec_test_secret", "/hooks/stripe");
        sender(properties, "github", "github", "It's a Secret to Everybody", "/hooks/github");
        sender(properties, "shopify", "shopify", "hush", "/hooks/shopify");
        sender(properties, "slack", "slack", "8f742231b10e8888abcd99yyyzzz85a5", "/hooks/slack");
        sender(properties, "square", "square", "Ibxx_5AKakO-3qeNVR61Dw", "/hooks/square");
        properties.add(SENDERS + "square.url=" + SQUARE_URL);
        sender(properties, "square_tests", "square", "signature-key", "/hooks/square-tests");
        properties.add(SENDERS + "square_tests.url=https://webhook.site/webhooks");
        sender(properties, "annotated", "standard-webhooks", "whsec_" + SECRET, "/hooks/annotated");
        sender(properties, "literal", "standard-webhooks", "whsec_" + SECRET, "/hooks/literal");
        sender(properties, "xml", "standard-webhooks", "whsec_" + SECRET, "/hooks/xml");
        sender(properties, "large", "standard-webhooks", "whsec_" + SECRET, "/hooks/large");
        properties.add(SENDERS + "large.acknowledgement.running-status=503");
        properties.add(SENDERS + "large.acknowledgement.body=success");
        properties.add(SENDERS + "own.paths=/hooks/own");
        properties.add(SENDERS + "own.secret=own secret");
        properties.add(SENDERS + "own.event-id=X-Event");
        properties.add(SENDERS + "own.retry-schedule=10s,5m");
        properties.add(SENDERS + "own.hmac.signature-header=X-Own-Signature");
        properties.add(SENDERS + "own.hmac.prefix=sha256=");
        return properties;
    }

    /** Runs once, and a repeat at the other instance replays it. */
    private void assertRunsOnce(String path, Instant time, String body, String... headers) {
        String note = fresh();
        time(time);
        Answer first = delivery(http(), path, body, note, headers).send().isFirst(200);
        delivery(otherHttp(), path, body, note, headers).send().replays(first);
        assertEffects(note, 1);
    }

    private static HttpTarget.Call delivery(
            HttpTarget target, String path, String body, String note, String... headers) {
        HttpTarget.Call call = target.post(path).header("X-Note", note);
        for (int i = 0; i < headers.length; i += 2) {
            call.header(headers[i], headers[i + 1]);
        }
        return call.json(body);
    }

    @Test
    void everyPublishedVectorRunsOnce() {
        String standardBody = "{\"test\": 2432232314}";
        String standardId = "msg_p5jXN8AQM9LWM0D4loKWxJek";
        assertRunsOnce(
                "/hooks/standard",
                NOW,
                standardBody,
                "webhook-id",
                standardId,
                "webhook-timestamp",
                "1614265330",
                "webhook-signature",
                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assertRunsOnce(
                "/hooks/asymmetric",
                NOW,
                standardBody,
                "webhook-id",
                standardId,
                "webhook-timestamp",
                "1614265330",
                "webhook-signature",
                "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==");
        assertRunsOnce(
                "/hooks/svix",
                Instant.ofEpochSecond(1731705121),
                "{\"event_type\":\"ping\",\"data\":{\"success\":true}}",
                "svix-id",
                "msg_loFOjxBNrRLzqYUf",
                "svix-timestamp",
                "1731705121",
                "svix-signature",
                "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=");
        assertRunsOnce(
                "/hooks/github",
                NOW,
                "Hello, World!",
                "X-GitHub-Delivery",
                fresh(),
                "X-Hub-Signature-256",
                "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17");
        assertRunsOnce(
                "/hooks/square",
                NOW,
                "{\"merchant_id\":\"MLEFBHHSJGVHD\",\"type\":\"webhooks.test_notification\","
                        + "\"event_id\":\"ac3ac95b-f97d-458c-a6e6-18981597e05f\","
                        + "\"created_at\":\"2022-07-13T20:30:59.037339943Z\","
                        + "\"data\":{\"type\":\"webhooks\",\"id\":\"bc368e64-01aa-407e-b46e-3231809b1129\"}}",
                "x-square-hmacsha256-signature",
                "GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4=");
        assertRunsOnce(
                "/hooks/square-tests",
                NOW,
                "{\"data\":{\"type\":\"webhooks\",\"id\":\">id<\"}}",
                "x-square-hmacsha256-signature",
                "Cxt7+aTi4rKgcA0bC4g9EHdVtLSDWdqccmL5MvihU4U=");
        assertRunsOnce(
                "/hooks/stripe",
                NOW,
                STRIPE_BODY,
                "Stripe-Signature",
                "t=1614265330,v1=af4ead0627a34a8cca29808e8de9ada8e41a92e6237c63cef6eacf51d36cca34");
        assertRunsOnce(
                "/hooks/shopify",
                NOW,
                "{\"id\":820982911946154508}",
                "X-Shopify-Event-Id",
                fresh(),
                "X-Shopify-Hmac-SHA256",
                "qBvrsZF7RfB1iS6BX6IHqJTp5L911P7intnPeTPsH0I=");
        String own = "{\"own\": true}";
        assertRunsOnce(
                "/hooks/own", NOW, own, "X-Event", fresh(), "X-Own-Signature", "sha256=" + hex("own secret", own));
    }

    @ParameterizedTest
    @CsvSource({
        "webhook-signature, v1",
        "webhook-signature, 'v1,'",
        "webhook-signature, ''",
        "webhook-signature, 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc='",
        "webhook-signature, 'v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='",
        "webhook-timestamp, soon",
        "webhook-timestamp, 1614265331",
        "webhook-id, another",
        "webhook-id, with.stop",
        "webhook-id, missing",
        "webhook-timestamp, missing",
        "webhook-signature, missing",
        "body, '{\"a\":1}'",
        "body, '{\"a\": 2}'",
        "body, '{\"a\": 1} '",
        "body, ''"
    })
    void whatIsNotSignedIsRefusedAndDoesNotBurnTheId(String part, String value) {
        String note = fresh();
        String id = fresh();
        String signature = standardSignature(SECRET, id, NOW.getEpochSecond(), "{\"a\": 1}");
        HttpTarget.Call forged = http().post("/hooks/standard").header("X-Note", note);
        header(forged, part, value, "webhook-id", id);
        header(forged, part, value, "webhook-timestamp", "1614265330");
        header(forged, part, value, "webhook-signature", signature);
        forged.json(part.equals("body") ? value : "{\"a\": 1}");

        assertUnverified(forged, note);
        standard(id, note).send().isFirst(200);
        assertEffects(note, 1);
    }

    private static void header(HttpTarget.Call call, String part, String value, String name, String genuine) {
        if (!part.equals(name)) {
            call.header(name, genuine);
        } else if (!value.equals("missing")) {
            call.header(name, value);
        }
    }

    @Test
    void whyItWasRefusedIsCounted() {
        MeterRegistry meters = server().bean(MeterRegistry.class);
        String note = fresh();
        double before = count(meters, "signature-missing");

        assertUnverified(http().post("/hooks/standard").header("X-Note", note).json("{}"), note);

        assertThat(count(meters, "signature-missing")).isEqualTo(before + 1);
    }

    private static double count(MeterRegistry meters, String outcome) {
        return meters.counter("idempotency.webhook.deliveries", "sender", "standard", "outcome", outcome)
                .count();
    }

    @Test
    void whatIsTooOldOrTooNewIsRefusedEvenIfSigned() {
        String note = fresh();
        String id = fresh();
        for (long seconds : new long[] {301, -301}) {
            time(NOW.plusSeconds(seconds));
            assertUnverified(standard(id, note), note);
        }
        time(NOW.plusSeconds(300));
        standard(id, note).send().isFirst(200);
    }

    @Test
    void aRetryAfterHoursIsAnsweredAsTheFirst() {
        String note = fresh();
        String id = fresh();
        Answer first = standard(id, note).send().isFirst(200);

        Instant later = NOW.plus(Duration.ofHours(3));
        time(later);
        standard(otherHttp(), "/hooks/standard", id, later, "{\"a\": 1}", note)
                .send()
                .replays(first);
        assertEffects(note, 1);
    }

    @Test
    void whatDiffersBetweenAttemptsIsNoOtherContent() {
        String note = fresh();
        String id = "evt_" + fresh();
        Answer first = stripe(http(), id, 2, note).send().isFirst(200);
        stripe(otherHttp(), id, 1, note).send().replays(first);
        assertEffects(note, 1);
    }

    private static HttpTarget.Call stripe(HttpTarget target, String id, int pending, String note) {
        String body = "{\"id\": \"" + id + "\", \"pending_webhooks\": " + pending + "}";
        return delivery(
                target,
                "/hooks/stripe",
                body,
                note,
                "Stripe-Signature",
                "t=1614265330,v1=" + hex("whsec_test_secret", "1614265330." + body));
    }

    @Test
    void aRepeatWhileTheFirstRunsIsToldToComeBackAndNothingIsLostIfThatFails() {
        String note = fresh();
        String id = fresh();
        CompletableFuture<Answer> first =
                standard(id, note).header("X-Script", "gate-500,200").sendLater();
        awaitEffects(note, 1);

        standard(otherHttp(), "/hooks/standard", id, NOW, "{\"a\": 1}", note)
                .send()
                .isProblem(409, "in-progress")
                .hasRetryAfter();
        Effects.openGate(note);
        assertThat(first.join().status()).isEqualTo(500);

        Answer again = standard(otherHttp(), "/hooks/standard", id, NOW, "{\"a\": 1}", note)
                .header("X-Script", "gate-500,200")
                .send()
                .isFirst(200);
        standard(id, note).send().replays(again);
        assertEffects(note, 2);
    }

    /** R483: in parallel, each delivery with a time and so a signature of its own. */
    @Test
    void oneEventSeveralTimesAtOnceRunsOnce() {
        String note = fresh();
        String id = fresh();
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            HttpTarget target = i % 2 == 0 ? http() : otherHttp();
            sent.add(standard(target, "/hooks/standard", id, NOW.minusSeconds(i), "{\"a\": 1}", note)
                    .header("X-Script", "gate-200")
                    .sendLater());
        }
        await().until(() -> sent.stream().filter(CompletableFuture::isDone).count() == 19);
        Effects.openGate(note);

        List<Integer> statuses =
                sent.stream().map(answer -> answer.join().status()).sorted().toList();
        assertThat(statuses.get(0)).isEqualTo(200);
        assertThat(statuses.subList(1, 20)).containsOnly(409);
        assertEffects(note, 1);
    }

    /** R483: an id is its sender's alone. */
    @Test
    void theSameIdOfAnotherSenderIsAnotherEvent() {
        String note = fresh();
        String id = fresh();
        String body = "{\"id\": \"" + id + "\"}";
        standard(http(), "/hooks/standard", id, NOW, body, note).send().isFirst(200);
        delivery(
                        http(),
                        "/hooks/github",
                        body,
                        note,
                        "X-GitHub-Delivery",
                        id,
                        "X-Hub-Signature-256",
                        "sha256=" + hex("It's a Secret to Everybody", body))
                .send()
                .isFirst(200);
        assertEffects(note, 2);
    }

    /** R524. */
    @Test
    void duringARotationAnySignatureByAnySecretIsEnough() {
        String body = "{\"a\": 1}";
        for (String secrets : List.of("new", "old", "new old", "old new")) {
            String note = fresh();
            String id = fresh();
            StringBuilder signatures = new StringBuilder("v0,x v1 =y");
            for (String secret : secrets.split(" ")) {
                signatures
                        .append(' ')
                        .append(standardSignature(
                                secret.equals("new") ? SECRET : OLD_SECRET, id, NOW.getEpochSecond(), body));
            }
            delivery(
                            http(),
                            "/hooks/standard",
                            body,
                            note,
                            "webhook-id",
                            id,
                            "webhook-timestamp",
                            "1614265330",
                            "webhook-signature",
                            signatures.toString())
                    .send()
                    .isFirst(200);
            assertEffects(note, 1);
        }
    }

    /** R118. */
    @ParameterizedTest
    @ValueSource(strings = {"/hooks/literal", "/hooks/xml"})
    void theAcknowledgementIsReplayedByteForByte(String path) {
        String note = fresh();
        String id = fresh();
        Answer first = standard(http(), path, id, NOW, "{}", note).send().isFirst(200);
        Answer repeat = standard(otherHttp(), path, id, NOW, "{}", note).send().replays(first);
        assertThat(repeat.headers("Content-Type")).isEqualTo(first.headers("Content-Type"));
        assertEffects(note, 1);
    }

    @Test
    void aFinishedEventIsASuccessEvenIfItsAnswerWasNotKept() {
        String note = fresh();
        String id = fresh();
        standard(http(), "/hooks/large", id, NOW, "{}", note).send().isFirst(200);

        Answer repeat =
                standard(otherHttp(), "/hooks/large", id, NOW, "{}", note).send();
        assertThat(repeat.status()).isEqualTo(200);
        assertThat(repeat.text()).isEqualTo("success");
        assertThat(repeat.headers(Answer.MARK)).containsExactly("true");
        assertEffects(note, 1);
    }

    @Test
    void anAnnotatedHandlerKeepsItsBizTypeAndIsKeyedByTheEvent() {
        String note = fresh();
        String id = fresh();
        Answer first =
                standard(http(), "/hooks/annotated", id, NOW, "{}", note).send().isFirst(200);
        standard(otherHttp(), "/hooks/annotated", id, NOW, "{}", note)
                .key(fresh())
                .send()
                .replays(first);
        assertUnverified(
                http().post("/hooks/annotated")
                        .key(fresh())
                        .header("X-Note", note)
                        .json("{}"),
                note);
        assertThat(server().bean(MeterRegistry.class)
                        .find("idempotency.requests")
                        .tag("biz.type", "annotated_hook")
                        .counters())
                .isNotEmpty();
        assertEffects(note, 1);
    }

    @Test
    void otherContentUnderAUsedIdIsNoRepeat() {
        String note = fresh();
        String id = fresh();
        standard(id, note).send().isFirst(200);
        standard(http(), "/hooks/standard", id, NOW, "{\"a\": 2}", note).send().isProblem(422, "key-reused");
        assertEffects(note, 1);
    }

    @Test
    void aSlashCommandIsKnownByItsTrigger() {
        String note = fresh();
        time(Instant.ofEpochSecond(1531420618));
        String body = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
                + "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
                + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554"
                + "%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
        Answer first = slack(http(), body, note).send().isFirst(200);
        slack(otherHttp(), body, note).send().replays(first);
        assertEffects(note, 1);
    }

    private static HttpTarget.Call slack(HttpTarget target, String body, String note) {
        return target.post("/hooks/slack")
                .header("X-Note", note)
                .header("X-Slack-Request-Timestamp", "1531420618")
                .header("X-Slack-Signature", "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503")
                .body("application/x-www-form-urlencoded", body.getBytes(StandardCharsets.UTF_8));
    }
}
