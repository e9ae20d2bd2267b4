// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is protected and what is not, wherever the annotation stands and however the path is spelled (R317, C15, C20). */
class RoutingContractIT extends HttpContract {

    private Answer post(String path, String key) {
        return http().post(path).key(key).json("{}").send();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/places/interface",
                "/places/inherited",
                "/places/composed",
                "/places/class-proxy",
                "/places/interface-proxy",
                "/overlap/other",
                "/typed",
                "/any-method"
            })
    void theAnnotationProtectsWhereverItStands(String path) {
        String note = fresh();
        String key = fresh();

        Answer first = post(path + "?note=" + note, key).isFirst(200);
        post(path + "?note=" + note, key).replays(first);
        http().post(path + "?note=" + note).json("{}").send().isProblem(400, "key-missing");

        assertEffects(note, 1);
    }

    @ParameterizedTest
    @CsvSource({"/overlap/special, application/json", "/typed, text/plain"})
    void aNeighbourOfAProtectedHandlerIsLeftAlone(String path, String type) {
        String note = fresh();
        int calls = server().store().calls();

        for (int i = 0; i < 2; i++) {
            http().post(path + "?note=" + note)
                    .body(type, new byte[] {1})
                    .send()
                    .isFirst(200);
        }

        assertThat(server().store().calls()).isEqualTo(calls);
        assertEffects(note, 2);
    }

    @Test
    void ofAHandlerForEveryMethodTheSafeOnesAreLeftAlone() {
        String note = fresh();
        String key = fresh();
        int calls = server().store().calls();

        for (String method : new String[] {"GET", "HEAD", "OPTIONS"}) {
            http().call(method, "/any-method?note=" + note).key(key).send().isFirst(200);
        }
        assertThat(server().store().calls()).isEqualTo(calls);

        int before = Effects.count(note);
        for (String method : new String[] {"PUT", "DELETE", "PATCH"}) {
            Answer first = http().call(method, "/any-method?note=" + note)
                    .key(key)
                    .send()
                    .isFirst(200);
            http().call(method, "/any-method?note=" + note).key(key).send().replays(first);
        }
        assertEffects(note, before + 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/plain/a", "/plain/a/b", "/plain"})
    void aRouteProtectsAPlainServlet(String path) {
        String note = fresh();
        String key = fresh();

        Answer first = post(path + "?note=" + note, key).isFirst(200);
        post(path + "?note=" + note, key).replays(first);
        http().call("PUT", path + "?note=" + note).key(fresh()).send().isFirst(405);

        assertEffects(note, 1);
    }

    @Test
    void aRouteProtectsWhatAFilterAnswers() {
        String note = fresh();
        String key = fresh();
        String path = "/filtered/x?note=" + note;

        Answer first =
                http().post(path).key(key).header("X-Inner", "answer").send().isFirst(202);
        http().post(path).key(key).header("X-Inner", "answer").send().replays(first);

        assertEffects(note + " in the filter", 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%70lain/spelled",
                "/plain/spell%65d",
                "/plain/spelled/",
                "/plain//spelled",
                "//plain/spelled",
                "/plain/./spelled",
                "/plain/x/../spelled",
                "/plain/spelled;a=1",
                "/plain;a=1/spelled",
                "/plain/spelled%2F",
                "/plain%2Fspelled",
                "/PLAIN/spelled",
                "/plain/%73pelled%3Fx",
                "/plain/spelled%00"
            })
    void noOtherSpellingOfAPathRunsTwice(String spelling) {
        String note = fresh();
        String key = fresh();
        Answer first = post("/plain/spelled?note=" + note, key).isFirst(200);

        RawAnswer other = new RawAnswer(http().raw("POST " + spelling + "?note=" + note
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Idempotency-Key: " + key
                + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"));

        if (other.status() == 200 && other.headers(Answer.MARK).isEmpty()) {
            // Another resource after all, and protected as well.
            assertEffects(note, 2);
            assertThat(spelling).contains("%3F");
        } else {
            // 500: Spring Security's own parser throws at another spelling of a servlet's path.
            assertThat(other.status()).isIn(200, 400, 404, 500);
            assertEffects(note, 1);
        }
        assertThat(first.text()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/orders/", "/orders/a%2Fb/lines", "/orders;v=1", "/ORDERS", "/orders/%2e%2e/orders"})
    void whatReachesNoHandlerLeavesNoRecord(String path) {
        String note = fresh();
        int calls = server().store().calls();

        RawAnswer answer = http().rawPost(path, fresh(), "{\"note\":\"" + note + "\"}");

        assertThat(answer.status()).isIn(400, 404, 405);
        assertThat(answer.text()).doesNotContain("urn:idempotency");
        assertThat(server().store().calls()).isEqualTo(calls);
        assertEffects(note, 0);
    }
}
