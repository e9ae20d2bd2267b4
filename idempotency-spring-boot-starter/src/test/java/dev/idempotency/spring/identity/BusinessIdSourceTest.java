// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.json.JsonScan;
import dev.idempotency.json.JsonScan.Value;
import dev.idempotency.key.Sha256;
import dev.idempotency.spring.json.Jackson2Tokenizer;
import dev.idempotency.spring.problem.ProblemType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

class BusinessIdSourceTest {

    private static String find(String json, MockHttpServletRequest request, String... places) throws Exception {
        BusinessIdSource source = new BusinessIdSource(List.of(places));
        Map<JsonPointer, List<Value>> picked = new JsonScan(new Jackson2Tokenizer(), List.of(), source.pointers())
                .scan(json.getBytes(UTF_8), Sha256.newDigest());
        return source.find(picked, request);
    }

    private static String inJson(String json, String... places) throws Exception {
        return find(json, new MockHttpServletRequest(), places);
    }

    private static String inParameters(String place, String... values) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.addParameter("order_id", values);
        return find("", request, place);
    }

    private static void assertAmbiguous(InvalidRequestException refusal) {
        assertThat(refusal).isNotNull();
        assertThat(refusal.problem()).isEqualTo(ProblemType.KEY_INVALID);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"order_id\":\"A1\"} | A1",
                "{\"order_id\":true} | true",
                "{\"order_id\":\" \"} | ' '",
                "{\"a\":{\"order_id\":1},\"order_id\":\"B\"} | B",
            })
    void memberOfTheJsonBodyIsFoundByItsName(String json, String id) throws Exception {
        assertThat(inJson(json, "order_id")).isEqualTo(id);
    }

    @Test
    void numbersCountByTheirValue() throws Exception {
        assertThat(inJson("{\"order_id\":10}", "order_id"))
                .isEqualTo(inJson("{\"order_id\":10.0}", "order_id"))
                .isEqualTo(inJson("{\"order_id\":1e1}", "order_id"))
                .isNotEqualTo(inJson("{\"order_id\":100}", "order_id"));
        assertThat(inJson("{\"order_id\":9007199254740993}", "order_id"))
                .isNotEqualTo(inJson("{\"order_id\":9007199254740992}", "order_id"));
    }

    @Test
    void pointerLeadsIntoTheBody() throws Exception {
        String json =
                "{\"data\":{\"items\":[{\"id\":\"x\"},{\"id\":\"y\"}]},\"a/b\":\"slash\",\"m~n\":\"tilde\",\"\":\"empty\"}";
        assertThat(inJson(json, "/data/items/1/id")).isEqualTo("y");
        assertThat(inJson(json, "/a~1b")).isEqualTo("slash");
        assertThat(inJson(json, "/m~0n")).isEqualTo("tilde");
        assertThat(inJson(json, "/")).isEqualTo("empty");
        assertThat(inJson(json, "/data/items/2/id")).isNull();
    }

    @Test
    void nameWithTildeIsNoPointer() throws Exception {
        assertThat(inJson("{\"m~1n\":\"x\"}", "m~1n")).isEqualTo("x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "\"A1\"", "{\"order_id\":null}", "{\"a\":{\"order_id\":\"A1\"}}", ""})
    void bodyWithoutItHasNone(String json) throws Exception {
        assertThat(inJson(json, "order_id")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"order_id\":{}}",
                "{\"order_id\":[]}",
                "{\"order_id\":[\"A1\"]}",
                "{\"order_id\":\"A1\",\"order_id\":\"A2\"}",
                "{\"order_id\":\"A1\",\"order_id\":null}",
                "{\"order_id\":null,\"order_id\":\"A1\"}",
                "{\"order_id\":\"A1\",\"order_id\":{}}",
            })
    void structureOrSeveralValuesAreRefused(String json) {
        assertAmbiguous(catchThrowableOfType(InvalidRequestException.class, () -> inJson(json, "order_id")));
    }

    @Test
    void duplicatesThatAgreeAreOneValue() throws Exception {
        assertThat(inJson("{\"order_id\":\"A1\",\"order_id\":\"A1\"}", "order_id"))
                .isEqualTo("A1");
    }

    @Test
    void parameterIsFoundByItsName() throws Exception {
        assertThat(inParameters("order_id", "A1")).isEqualTo("A1");
        assertThat(inParameters("order_id", "A1", "A1")).isEqualTo("A1");
        assertThat(inParameters("order_id", "")).isEmpty();
        assertThat(inParameters("other", "A1")).isNull();
        assertThat(inParameters("/order_id", "A1")).isNull();
    }

    @Test
    void parameterWithSeveralValuesIsRefused() {
        assertAmbiguous(
                catchThrowableOfType(InvalidRequestException.class, () -> inParameters("order_id", "A1", "A2")));
    }

    @Test
    void memberOfTheBodyComesBeforeTheParameterOfItsName() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.addParameter("order_id", "query");
        assertThat(find("{\"order_id\":\"body\"}", request, "order_id")).isEqualTo("body");
        assertThat(find("{\"order_id\":null}", request, "order_id")).isEqualTo("query");
    }

    @Test
    void firstPlaceThatHasOneCounts() throws Exception {
        String json = "{\"id\":\"second\",\"order\":{\"id\":\"first\"}}";
        assertThat(inJson(json, "/order/id", "id")).isEqualTo("first");
        assertThat(inJson(json, "id", "/order/id")).isEqualTo("second");
        assertThat(inJson(json, "/none", "id")).isEqualTo("second");
        assertThat(inJson(json)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "/a~2", "/a~"})
    void malformedPlaceIsRefused(String place) {
        assertThatIllegalArgumentException().isThrownBy(() -> new BusinessIdSource(List.of("ok", place)));
    }
}
