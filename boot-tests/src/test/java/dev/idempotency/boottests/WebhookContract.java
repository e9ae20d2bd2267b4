// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;

/** What tests of webhooks share: an application that knows senders, at a time that the test sets. */
abstract class WebhookContract extends HttpContract {

    static final String SECRET = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    static final String OLD_SECRET = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    static final Instant NOW = Instant.ofEpochSecond(1614265330);

    private final String namespace = fresh();

    @Override
    List<String> properties() {
        List<String> properties = new ArrayList<>(List.of("webhooks=true", "idempotency.namespace=" + namespace));
        sender(properties, "standard", "standard-webhooks", "whsec_" + SECRET, "/hooks/standard");
        properties.add("idempotency.webhook.senders.standard.secrets=whsec_" + OLD_SECRET);
        return properties;
    }

    static void sender(List<String> properties, String name, String preset, String secret, String paths) {
        String prefix = "idempotency.webhook.senders." + name + ".";
        properties.add(prefix + "preset=" + preset);
        properties.add(prefix + "secret=" + secret);
        properties.add(prefix + "paths=" + paths);
    }

    @BeforeEach
    void setClocks() {
        time(NOW);
    }

    void time(Instant time) {
        server().bean(SettableClock.class).set(time);
        otherServer().bean(SettableClock.class).set(time);
    }

    static byte[] hmac(byte[] key, String content) {
        return hmac(key, content.getBytes(UTF_8));
    }

    static byte[] hmac(byte[] key, byte[] content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String hex(String key, String content) {
        return HexFormat.of().formatHex(hmac(key.getBytes(UTF_8), content));
    }

    static String standardSignature(String secret, String id, long seconds, String body) {
        byte[] key = Base64.getDecoder().decode(secret);
        return "v1," + Base64.getEncoder().encodeToString(hmac(key, id + "." + seconds + "." + body));
    }

    /** A delivery as Standard Webhooks has it. */
    HttpTarget.Call standard(HttpTarget target, String path, String id, Instant signed, String body, String note) {
        return target.post(path)
                .header("webhook-id", id)
                .header("webhook-timestamp", Long.toString(signed.getEpochSecond()))
                .header("webhook-signature", standardSignature(SECRET, id, signed.getEpochSecond(), body))
                .header("X-Note", note)
                .json(body);
    }

    HttpTarget.Call standard(String id, String note) {
        return standard(http(), "/hooks/standard", id, NOW, "{\"a\": 1}", note);
    }

    /** Refused without a word on why, without an effect, without a look at the store. */
    void assertUnverified(HttpTarget.Call call, String note) {
        int calls = server().store().calls() + otherServer().store().calls();
        int effects = Effects.count(note);
        Answer refused = call.send().isProblem(401, "signature-invalid");
        assertThat(refused.text())
                .contains("\"detail\":\"The request was not processed, as its sender could not be verified.\"");
        assertThat(refused.header("WWW-Authenticate")).isEqualTo("Signature");
        assertThat(server().store().calls() + otherServer().store().calls()).isEqualTo(calls);
        assertEffects(note, effects);
    }
}
