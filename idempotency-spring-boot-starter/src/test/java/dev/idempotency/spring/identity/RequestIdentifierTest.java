// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.IdempotencyLevel;
import dev.idempotency.spring.identity.RequestIdentifier.Arrival;
import dev.idempotency.spring.json.Jackson2Tokenizer;
import dev.idempotency.spring.problem.ProblemType;
import java.security.Principal;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.PathContainer;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class RequestIdentifierTest {

    private static final ArgumentBinder NO_BINDER = new ArgumentBinder(() -> {
        throw new AssertionError("nothing is to be bound");
    });

    private Set<KeyPart> parts = EnumSet.allOf(KeyPart.class);
    private String namespace = "shop";
    private @Nullable String dataCenter;
    private @Nullable TenantResolver tenants;
    private String bizType = "order";
    private boolean caseSensitive = true;

    private RequestIdentity identify(MockHttpServletRequest request, @Nullable String key) throws Exception {
        return identify(identifier(), request, key);
    }

    private RequestIdentifier identifier() {
        IdentitySettings settings = new IdentitySettings(
                namespace, dataCenter, parts, List.of("order_id"), true, new Jackson2Tokenizer(), null, tenants);
        return new RequestIdentifier(bizType, IdempotencyLevel.FULL_REQUEST, List.of(), settings, null, NO_BINDER);
    }

    private RequestIdentity identify(RequestIdentifier identifier, MockHttpServletRequest request, @Nullable String key)
            throws Exception {
        return identifier.identify(
                new Arrival(
                        new BufferedRequest(request, 1000, true),
                        new MockHttpServletResponse(),
                        PathContainer.parsePath(request.getRequestURI()),
                        caseSensitive,
                        null),
                key);
    }

    private RecordKey key(MockHttpServletRequest request, @Nullable String key) throws Exception {
        return identify(request, key).key();
    }

    private static MockHttpServletRequest order(String id) {
        return post("/orders", "{\"order_id\":" + id + "}");
    }

    private static MockHttpServletRequest post(String path, String json) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", path);
        request.setContentType("application/json");
        request.setContent(json.getBytes(UTF_8));
        return request;
    }

    private static MockHttpServletRequest by(String principal) {
        MockHttpServletRequest request = order("1");
        Principal user = () -> principal;
        request.setUserPrincipal(user);
        return request;
    }

    @Test
    void everyPartOfTheKeyCounts() throws Exception {
        Set<RecordKey> keys = new HashSet<>();
        keys.add(key(order("1"), "K1"));
        keys.add(key(order("1"), "k1"));
        keys.add(key(order("2"), "K1"));
        keys.add(key(order("null"), "K1"));
        keys.add(key(order("\"\""), "K1"));
        keys.add(key(order("1"), null));
        keys.add(key(post("/orders/1", "{\"order_id\":1}"), "K1"));
        MockHttpServletRequest put = order("1");
        put.setMethod("PUT");
        keys.add(key(put, "K1"));
        keys.add(key(by("A"), "K1"));
        keys.add(key(by("B"), "K1"));
        namespace = "other";
        keys.add(key(order("1"), "K1"));
        dataCenter = "us-east1";
        keys.add(key(order("1"), "K1"));
        bizType = "refund";
        keys.add(key(order("1"), "K1"));
        tenants = request -> "A";
        keys.add(key(order("1"), "K1"));
        tenants = request -> null;
        keys.add(key(order("1"), "K1"));
        assertThat(keys).hasSize(15);
        assertThat(keys).contains(key(by("whoever, as the tenant decides"), "K1"));
    }

    @Test
    void aSendersEventsAreItsOwnAndTheirIdAlwaysCounts() throws Exception {
        parts = Set.of(KeyPart.BUSINESS_ID);
        RequestIdentifier stripe = identifier().forSender("stripe", List.of(JsonPointer.parse("/attempt")));
        RequestIdentifier github = identifier().forSender("github", List.of());
        Set<RecordKey> keys = new HashSet<>();
        keys.add(identify(stripe, order("1"), "evt_1").key());
        keys.add(identify(stripe, order("1"), "evt_2").key());
        keys.add(identify(github, order("1"), "evt_1").key());
        keys.add(key(order("1"), "evt_1"));
        assertThat(keys).hasSize(4);
    }

    @Test
    void whatDiffersBetweenASendersAttemptsIsNoContentOfItsEvents() throws Exception {
        RequestIdentifier stripe = identifier().forSender("stripe", List.of(JsonPointer.parse("/attempt")));

        assertThat(identify(stripe, attempt(2), "evt_1").fingerprint())
                .isEqualTo(identify(stripe, attempt(1), "evt_1").fingerprint());
        assertThat(identify(attempt(2), "evt_1").fingerprint())
                .isNotEqualTo(identify(attempt(1), "evt_1").fingerprint());
    }

    private static MockHttpServletRequest attempt(int number) {
        return post("/orders", "{\"order_id\":1,\"attempt\":" + number + "}");
    }

    @Test
    void partsThatAreNotChosenDoNotCount() throws Exception {
        parts = Set.of(KeyPart.IDEMPOTENCY_KEY);
        MockHttpServletRequest put = post("/elsewhere", "{}");
        put.setMethod("PUT");
        assertThat(key(put, "K1")).isEqualTo(key(order("1"), "K1")).isNotEqualTo(key(order("1"), "K2"));
        assertThat(key(by("A"), "K1")).isNotEqualTo(key(by("B"), "K1"));
    }

    @Test
    void reusedKeyIsCaughtByTheFingerprintIfTheBusinessIdIsNoPart() throws Exception {
        parts = Set.of(KeyPart.IDEMPOTENCY_KEY, KeyPart.PATH, KeyPart.METHOD);
        RequestIdentity first = identify(order("1"), "K1");
        RequestIdentity second = identify(order("2"), "K1");
        assertThat(second.key()).isEqualTo(first.key());
        assertThat(second.fingerprint().contradicts(first.fingerprint())).isTrue();
    }

    @Test
    void withoutAKeyTheBusinessIdIsAPartWhateverIsChosen() throws Exception {
        parts = Set.of(KeyPart.IDEMPOTENCY_KEY);
        assertThat(key(order("1"), null)).isNotEqualTo(key(order("2"), null));
    }

    @Test
    void requestWithNeitherKeyNorBusinessIdIsRefused() {
        for (String nothing : List.of("null", "\"\"", "\"  \"", "\"\\t\"")) {
            InvalidRequestException refusal =
                    catchThrowableOfType(InvalidRequestException.class, () -> key(order(nothing), null));
            assertThat(refusal.problem()).isEqualTo(ProblemType.KEY_MISSING);
        }
        assertThat(catchThrowableOfType(InvalidRequestException.class, () -> key(post("/orders", "{}"), null)))
                .isNotNull();
    }

    @Test
    void businessIdIsFoundInAFormAndInTheQueryToo() throws Exception {
        MockHttpServletRequest form = new MockHttpServletRequest("POST", "/orders");
        form.setContentType("application/x-www-form-urlencoded");
        form.setContent("order_id=1".getBytes(UTF_8));
        MockHttpServletRequest query = post("/orders", "{}");
        query.addParameter("order_id", "1");
        assertThat(key(form, "K1")).isEqualTo(key(query, "K1")).isEqualTo(key(order("\"1\""), "K1"));
    }

    @Test
    void otherSpellingsOfOnePathAreOneKey() throws Exception {
        assertThat(key(post("/orders/", "{}"), "K1"))
                .isEqualTo(key(post("/%6frders", "{}"), "K1"))
                .isEqualTo(key(post("/orders;a=b", "{}"), "K1"));
        assertThat(key(post("/ORDERS", "{}"), "K1")).isNotEqualTo(key(post("/orders", "{}"), "K1"));
        caseSensitive = false;
        assertThat(key(post("/ORDERS", "{}"), "K1")).isEqualTo(key(post("/orders", "{}"), "K1"));
    }

    @Test
    void pathParametersAreContent() throws Exception {
        RequestIdentity red = identify(post("/cars;color=red", "{}"), "K1");
        RequestIdentity blue = identify(post("/cars;color=blue", "{}"), "K1");
        assertThat(blue.key()).isEqualTo(red.key());
        assertThat(blue.fingerprint().contradicts(red.fingerprint())).isTrue();
        assertThat(identify(post("/cars;jsessionid=1", "{}"), "K1"))
                .isEqualTo(identify(post("/cars;jsessionid=2", "{}"), "K1"));
    }
}
