// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.sample.DemoSwitch;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Brings everything about that the sample's meters can tell of, an outage of its database included. */
final class Traffic {

    private static final String ORDERS = "/webhooks/orders";
    private static final String INVENTORY = "/webhooks/inventory";
    private static final String PAYMENTS = "/webhooks/payments";
    private static final String SIGNED = "/webhooks/signed/standard";
    private static final byte[] SIGNING_KEY = Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

    private final HttpClient http = HttpClient.newHttpClient();
    private final String base;
    private final IdempotencyStore store;
    private final Gate gate;

    Traffic(String base, IdempotencyStore store, Gate gate) {
        this.base = base;
        this.store = store;
        this.gate = gate;
    }

    void drive() {
        callsAndRepeats();
        failures();
        silentOwners();
        signedWebhooks();
        lettersThatAreTooMuch();
    }

    private void callsAndRepeats() {
        String key = key();
        assertThat(post(ORDERS, key, order(1, "")).statusCode()).isEqualTo(201);
        assertThat(post(ORDERS, key, order(1, "")).statusCode()).isEqualTo(201);
        assertThat(post(ORDERS, key, order(1, "changed")).statusCode()).isEqualTo(422);
        assertThat(post(ORDERS, key(), "{\"order_id\":1}").statusCode()).isEqualTo(400);
        assertThat(post(ORDERS, "1", order(2, "")).statusCode()).isEqualTo(201);
        String again = key();
        assertThat(post(INVENTORY, again, inventory(1)).statusCode()).isEqualTo(201);
        assertThat(post(INVENTORY, again, inventory(1)).statusCode()).isEqualTo(409);
    }

    private void failures() {
        String key = key();
        for (int i = 0; i < 3; i++) {
            post(ORDERS, key, order(3, ""), DemoSwitch.FAIL, "true");
        }
        assertThat(post(ORDERS, key, order(3, "")).statusCode()).isEqualTo(503);
        redrive("create_order");
    }

    /** A claim that an operator releases although its owner runs; and two whose owners die. */
    private void silentOwners() {
        String key = key();
        CompletableFuture<HttpResponse<String>> released = waiting(ORDERS, key, order(4, ""));
        assertThat(post(ORDERS, key, order(4, "")).statusCode()).isEqualTo(409);
        String record = get("/actuator/idempotencyrecords?path=" + ORDERS + "&businessId=4&key=" + key);
        HttpResponse<String> release = send(request(
                "/actuator/idempotencyrecords/create_order/" + field("recordKey", record),
                "{\"version\":" + field("version", record) + ",\"reason\":\"taken for dead\"}"));
        assertThat(release.statusCode()).isEqualTo(200);
        gate.letThrough();
        assertThat(released.join().statusCode()).isEqualTo(201);

        die(ORDERS, "create_order", order(5, ""), "5", key);
        assertThat(post(ORDERS, key, order(5, "")).statusCode()).isEqualTo(201);
        die(INVENTORY, "inventory", inventory(2), "HAM-2_MUG_2", key);
        assertThat(post(INVENTORY, key, inventory(2)).body()).contains("outcome-unknown");
    }

    /** Fails once, and is then claimed by an owner of which nothing is ever heard again. */
    private void die(String path, String bizType, String body, String businessId, String key) {
        assertThat(post(path, key, body, DemoSwitch.FAIL, "true").statusCode()).isEqualTo(500);
        String record = get("/actuator/idempotencyrecords?path=" + path + "&businessId=" + businessId + "&key=" + key);
        RecordKey recordKey = RecordKey.ofHex(bizType, field("recordKey", record));
        Fingerprint fingerprint = ((Lookup.Found) store.find(recordKey)).found().fingerprint();
        Duration instant = Duration.ofMillis(1);
        assertThat(store.claim(new Claim(
                        recordKey,
                        OwnerToken.random(),
                        fingerprint,
                        instant,
                        Duration.ofHours(1),
                        OnOrphan.TAKE_OVER,
                        Payload.EMPTY)))
                .isInstanceOf(ClaimResult.Claimed.class);
        await().until(() -> store.find(recordKey) instanceof Lookup.Found found
                && found.found().leaseEnd().isBefore(Instant.now()));
    }

    private static String field(String name, String json) {
        Matcher field = Pattern.compile("\"" + name + "\":\"?([^\",}]+)").matcher(json);
        assertThat(field.find()).as(name + " in " + json).isTrue();
        return field.group(1);
    }

    private CompletableFuture<HttpResponse<String>> waiting(String path, String key, String body) {
        CompletableFuture<HttpResponse<String>> answer =
                CompletableFuture.supplyAsync(() -> post(path, key, body, Gate.WAIT, "yes"));
        gate.awaitArrival();
        return answer;
    }

    private void signedWebhooks() {
        String event = "msg_" + UUID.randomUUID();
        assertThat(deliver(event, "v1,forged", "false").statusCode()).isEqualTo(401);
        for (int i = 0; i < 3; i++) {
            assertThat(deliver(event, null, "true").statusCode()).isEqualTo(500);
        }
        redrive("standard");
        HttpResponse<String> resume = send(request("/actuator/idempotencyroutes/standard", "{\"reason\":\"mended\"}"));
        assertThat(resume.statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> deliver(String event, String signature, String fails) {
        String time = Long.toString(Instant.now().getEpochSecond());
        String body = "{\"type\":\"contact.created\"}";
        return send(request(SIGNED, body)
                .header("webhook-id", event)
                .header("webhook-timestamp", time)
                .header("webhook-signature", signature == null ? sign(event + "." + time + "." + body) : signature)
                .header(DemoSwitch.FAIL, fails));
    }

    private static String sign(String content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SIGNING_KEY, "HmacSHA256"));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(content.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** With room for one letter: two that are open are one too many, and a third never fits. */
    private void lettersThatAreTooMuch() {
        for (int bytes : new int[] {25_000, 25_000, 40_850}) {
            String key = key();
            String order = order(5, "x".repeat(bytes));
            for (int i = 0; i < 3; i++) {
                post(ORDERS, key, order, DemoSwitch.FAIL, "true");
            }
        }
    }

    private void redrive(String bizType) {
        String id = field("id", get("/actuator/idempotencyletters?state=open&bizType=" + bizType));
        HttpResponse<String> answer = send(request("/actuator/idempotencyletters/" + id, "{\"action\":\"redrive\"}"));
        assertThat(answer.body()).contains("\"outcome\":\"ran\"", "\"outcomeStatus\":201");
    }

    /** What happens while the database is away, beginning in the middle of an attempt. */
    void driveThrough(Runnable outage) {
        CompletableFuture<HttpResponse<String>> broken = waiting(PAYMENTS, key(), payment("pi_broken"));
        outage.run();
        assertThat(post(ORDERS, key(), order(6, "")).statusCode()).isEqualTo(503);
        assertThat(post(PAYMENTS, key(), payment("pi_unprotected")).statusCode())
                .as("it ran, without its table")
                .isEqualTo(500);
        gate.letThrough();
        assertThat(broken.join().statusCode()).isEqualTo(500);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> get("/actuator/prometheus").contains("outcome=\"completion-lost\""));
    }

    private static String key() {
        return UUID.randomUUID().toString();
    }

    private static String order(int id, String note) {
        return "{\"order_id\":" + id + ",\"total_price\":\"9.90\",\"currency\":\"EUR\",\"note\":\"" + note + "\"}";
    }

    private static String inventory(int revision) {
        return "{\"warehouse\":\"HAM-2\",\"sku\":\"MUG\",\"revision\":" + revision + ",\"quantity_delta\":-2}";
    }

    private static String payment(String id) {
        return "{\"id\":\"evt\",\"type\":\"payment_intent.succeeded\",\"data\":{\"object\":{\"id\":\"" + id
                + "\",\"amount\":100,\"currency\":\"eur\"}}}";
    }

    private HttpResponse<String> post(String path, String key, String body, String... headers) {
        HttpRequest.Builder request = request(path, body).header("X-Idempotency-Key", key);
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    String get(String path) {
        return send(HttpRequest.newBuilder(URI.create(base + path))).body();
    }

    private HttpRequest.Builder request(String path, String body) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
