// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However a request reaches what stands on a sender's path, it is verified. */
class WebhookPathContractIT extends WebhookContract {

    @Override
    List<String> properties() {
        List<String> properties = super.properties();
        properties.add("spring.mvc.hiddenmethod.filter.enabled=true");
        properties.add("double-filter=true");
        sender(properties, "annotated", "standard-webhooks", "whsec_" + SECRET, "/hooks/annotated");
        sender(properties, "plain", "standard-webhooks", "whsec_" + SECRET, "/plain/hook");
        sender(properties, "routed", "standard-webhooks", "whsec_" + SECRET, "/routed/{name}");
        return properties;
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE", "POST", "PUT", "PATCH", "DELETE", "ANYTHING"})
    void noMethodGoesUnverified(String method) {
        String note = fresh();
        RawAnswer answer = new RawAnswer(http().raw(method + " /hooks/standard HTTP/1.1\r\nHost: localhost\r\n"
                + "Connection: close\r\nX-Note: " + note + "\r\nContent-Length: 2\r\n\r\n{}"));

        // TRACE and unknown methods: Spring Security or the container has refused them already.
        assertThat(answer.status())
                .isIn(method.equals("TRACE") || method.equals("ANYTHING") ? List.of(400, 401, 405, 501) : List.of(401));
        assertEffects(note, 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/hooks/standard?_method=GET",
                "/hooks/standard?_method=DELETE",
                "/hooks/standard/",
                "/hooks/standard//",
                "//hooks/standard",
                "/hooks//standard",
                "/hooks/./standard",
                "/hooks/x/../standard",
                "/hooks/%73tandard",
                "/%68ooks/standard",
                "/hooks/standard;a=1",
                "/hooks;a=1/standard",
                "/hooks/standard%2F",
                "/hooks%2Fstandard",
                "/hooks/%2e/standard",
                "/hooks/standard%00",
                "/hooks/standard%3Bx",
                "/HOOKS/standard",
                "/hooks/STANDARD",
                "/hooks/%2573tandard",
                "/plain/hook",
                "/plain/hook/",
                "/plain/%68ook",
                "/plain//hook",
                "/plain/hook;a=1",
                "/plain/HOOK",
                "/routed/a",
                "/routed/a;b=1",
                "/routed/a%20b",
                "/rou%74ed/a/"
            })
    void noSpellingOfThePathGoesUnverified(String spelling) {
        String note = fresh();
        int calls = server().store().calls();
        for (String header : List.of(
                "X-Other: 1",
                "X-HTTP-Method-Override: GET",
                "X-Original-URL: /unprotected",
                "X-Forwarded-Prefix: /x")) {
            String body = "{\"note\":\"" + note + "\"}";
            RawAnswer answer = new RawAnswer(http().raw("POST " + spelling + (spelling.contains("?") ? "&" : "?")
                    + "note=" + note + " HTTP/1.1\r\nHost: localhost\r\n"
                    + "Connection: close\r\nX-Note: " + note + "\r\nX-Idempotency-Key: " + note + "\r\n" + header
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body));

            // 500: Spring Security's own parser throws at another spelling of a servlet's path.
            assertThat(answer.status()).as(answer.text()).isIn(400, 401, 404, 405, 500);
        }
        assertEffects(note, 0);
        assertThat(server().store().calls()).isEqualTo(calls);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hooks/standard/", "/hooks/%73tandard", "/hooks/x/../standard"})
    void aSignedRequestIsTheSameEventHoweverItsPathIsSpelled(String spelling) {
        String note = fresh();
        String id = fresh();
        Answer first = standard(id, note).send().isFirst(200);
        String signature = standardSignature(SECRET, id, NOW.getEpochSecond(), "{\"a\": 1}");

        RawAnswer other = new RawAnswer(http().raw("POST " + spelling + " HTTP/1.1\r\nHost: localhost\r\n"
                + "Connection: close\r\nX-Note: " + note + "\r\nwebhook-id: " + id
                + "\r\nwebhook-timestamp: 1614265330\r\n"
                + "webhook-signature: " + signature + "\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n"
                + "{\"a\": 1}"));

        assertThat(other.status()).isIn(200, 400, 404);
        if (other.status() == 200) {
            assertThat(other.body()).isEqualTo(first.text());
            assertThat(other.headers(Answer.MARK)).containsExactly("true");
        }
        assertEffects(note, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/plain/hook", "/routed/somewhere"})
    void whatIsNoHandlerMethodIsKeyedByTheEventAsWell(String path) {
        String note = fresh();
        String id = fresh();
        String body = "{\"note\":\"" + note + "\"}";
        Answer first = standard(http(), path + "?note=" + note, id, NOW, body, note)
                .send()
                .isFirst(200);
        standard(otherHttp(), path + "?note=" + note, id, NOW, body, note)
                .send()
                .replays(first);
        assertEffects(note, 1);
    }

    /** Our filter stands within Spring Security's chain as well, before the one that verifies. */
    @Test
    void nothingIsClaimedBeforeItIsVerifiedWhereverTheFilterStands() {
        String note = fresh();
        String id = fresh();
        assertUnverified(
                http().post("/hooks/annotated")
                        .key(id)
                        .header("X-Note", note)
                        .json("{}")
                        .header("webhook-id", id),
                note);
    }

    @Test
    void otherPathsAreLeftAlone() {
        String note = fresh();
        http().post("/unprotected").note(note).send().isFirst(200);
        assertEffects(note, 1);
    }
}
