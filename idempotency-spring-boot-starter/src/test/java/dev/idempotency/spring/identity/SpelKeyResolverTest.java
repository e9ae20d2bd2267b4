// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpelKeyResolverTest {

    record User(@Nullable String id, @Nullable User parent) {}

    record Order(
            @Nullable String userId,
            @Nullable String orderNo,
            @Nullable User user,
            @Nullable List<String> lines) {}

    enum Kind {
        CARD
    }

    /** Without toString: its text would be another after every deserialisation. */
    public static final class Opaque {
        public Opaque self() {
            return this;
        }
    }

    static final class Handlers {
        public void handle(Order req, @Nullable Object other) {}
    }

    private static final Method HANDLER = Stream.of(Handlers.class.getDeclaredMethods())
            .filter(method -> method.getName().equals("handle"))
            .findAny()
            .orElseThrow();

    private static SpelKeyResolver resolver(String expression) {
        return new SpelKeyResolver(expression, HANDLER);
    }

    private static @Nullable String resolve(String expression, @Nullable Order order, @Nullable Object other) {
        Map<Integer, Object> arguments = new HashMap<>();
        arguments.put(0, order);
        arguments.put(1, other);
        return resolver(expression).resolve(arguments);
    }

    private static @Nullable String resolve(String expression, @Nullable Object other) {
        return resolve(expression, order("u", "1"), other);
    }

    private static Order order(@Nullable String userId, @Nullable String orderNo) {
        return new Order(userId, orderNo, null, null);
    }

    @Test
    void parametersAreReachedByNameAndByPosition() {
        for (String expression :
                List.of("#req.userId", "#p0.userId", "#a0.userId", "SpEL:#req.userId", " #req.userId ")) {
            assertThat(resolve(expression, null)).isEqualTo("u");
            assertThat(resolver(expression).parameterIndexes()).containsExactly(0);
        }
        assertThat(resolver("#req.userId + #other + #a1").parameterIndexes()).containsOnly(0, 1);
    }

    @Test
    void recordsAndNestedRecordsAreRead() {
        Order order = new Order(null, null, new User("child", new User("parent", null)), List.of("x", "y"));
        assertThat(resolve("#req.user.parent.id", order, null)).isEqualTo("parent");
        assertThat(resolve("#req.user().id()", order, null)).isEqualTo("child");
        assertThat(resolve("#req.lines[1]", order, null)).isEqualTo("y");
        assertThat(resolve("#other['a']", Map.of("a", "b"))).isEqualTo("b");
    }

    @Test
    void partsAreAddedUp() {
        assertThat(resolve("#req.userId + '_' + #req.orderNo", null)).isEqualTo("u_1");
        assertThat(resolve("'order-' + (#req.orderNo + '_' + #other)", 7)).isEqualTo("order-1_7");
        assertThat(resolve("#other + 1", 41)).isEqualTo("42");
        assertThat(resolve("#other + 1 + '-' + #req.userId", 41)).isEqualTo("42-u");
        assertThat(resolve("'x' + #other", Kind.CARD)).isEqualTo("xCARD");
        assertThat(resolve("'x' + #other", Optional.of("y"))).isEqualTo("xy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#other",
                "#req.userId",
                "#req.userId + '_' + #req.orderNo",
                "'_' + #req.orderNo + #req.userId",
                "#req.orderNo + ('_' + #req.userId)",
                "#req.orderNo + '_' + #other",
                "{#req.orderNo, #req.userId}",
                "{#req.orderNo, 'x' + #req.userId}",
                "{{#other}}",
                "'' + #other",
                "#req.orderNo != null ? #other : #req.orderNo",
                "#req.userId ?: #other",
                "#req.user",
                "#req.user?.id",
                "#req.user.id",
                "#req.user.parent.id",
                "#req.user.id() + 'x'",
                "#req.user.id.length()",
                "#req.lines[0]",
                "#other['a']",
            })
    void nullAnywhereIsNoIdAndNeverTheTextNull(String expression) {
        assertThat(resolve(expression, order(null, "1"), null)).isNull();
    }

    @Test
    void emptyBlankAndAbsentAreNoId() {
        for (Object nothing :
                Arrays.asList("", "  ", "\t", List.of(), Optional.empty(), Optional.of(""), List.of(" "))) {
            assertThat(resolve("#other", nothing)).isNull();
            assertThat(resolve("{#req.userId, #other}", nothing)).isNull();
        }
        assertThat(resolve("#req.userId + #other", Optional.empty())).isNull();
    }

    @Test
    void listThatEndsTooEarlyIsNoId() {
        assertThat(resolve("#req.lines[1]", new Order("u", "1", null, List.of("x")), null))
                .isNull();
        assertThat(resolve("#other[0]", new String[0])).isNull();
    }

    @Test
    void separatorMayBeBlankOrEmpty() {
        assertThat(resolve("#req.userId + ' ' + #req.orderNo", null)).isEqualTo("u 1");
        assertThat(resolve("'' + #other", 7)).isEqualTo("7");
    }

    @Test
    void absentBodyIsNoId() {
        assertThat(resolve("#req.userId", null, null)).isNull();
        assertThat(resolve("#req.userId + '_'", null, null)).isNull();
    }

    @Test
    void valuesWithOneTextAreAccepted() {
        UUID uuid = UUID.fromString("8e03978e-40d5-43dd-bc93-6894a57f9324");
        Instant instant = Instant.parse("2026-01-01T00:00:00Z");
        for (Object value : List.of("text", 'c', 7L, new BigDecimal("1.10"), true, Kind.CARD, uuid, instant)) {
            assertThat(resolve("#other", value)).isEqualTo(value.toString());
            assertThat(resolve("#other", Optional.of(value))).isEqualTo(value.toString());
        }
    }

    @Test
    void listsWithOtherBoundsAreOtherIds() {
        assertThat(resolve("{#req.userId, #other}", order("a", null), "bc"))
                .isNotNull()
                .isNotEqualTo(resolve("{#req.userId, #other}", order("ab", null), "c"));
        assertThat(resolve("#other", List.of("a,b"))).isNotEqualTo(resolve("#other", List.of("a", "b")));
        assertThat(resolve("#other", List.of("1:a"))).isNotEqualTo(resolve("#other", List.of("a")));
        assertThat(resolve("#other", List.of(List.of("a"), "b")))
                .isNotEqualTo(resolve("#other", List.of("a", List.of("b"))));
        assertThat(resolve("{#req.userId, #other}", List.of("x")))
                .isEqualTo(resolve("{#req.userId, #other}", List.of("x")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"#other", "{#other}", "'x' + #other", "#other + 'x'", "{'x' + #other}", "#other.self()"})
    void objectsWithoutATextOfTheirOwnAreRefused(String expression) {
        assertThatIllegalStateException()
                .isThrownBy(() -> resolve(expression, new Opaque()))
                .withMessageContaining("must yield")
                .withMessageContaining("Handlers.handle")
                .withMessageContaining(Opaque.class.getName());
    }

    @Test
    void arraysAndMapsAreRefused() {
        for (Object value : List.of(new byte[] {1}, new String[] {"a"}, Map.of("a", "b"), new User("a", null))) {
            assertThatIllegalStateException().isThrownBy(() -> resolve("#other", value));
            assertThatIllegalStateException().isThrownBy(() -> resolve("'x' + #other", value));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"#order.id", "#req.userId + #id", "{#req.userId, #reqq}", "#p2", "#a9", "#p", "#p01", "#request"
            })
    void unknownVariableIsRefusedAtConstruction(String expression) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> resolver(expression))
                .withMessageContaining("no parameter of the method")
                .withMessageContaining("Handlers.handle")
                .withMessageContaining(expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "T(java.lang.Runtime).getRuntime().exec(#req.userId)",
                "#req.userId + T(java.lang.Math).random()",
                "{#req.userId, T(String)}",
                "@bean.id(#req)",
                "&factory.id(#req)",
                "new java.io.File(#req.userId)",
                "new int[]{1}.length + #other",
                "#req.userId = 'x'",
                "#req.lines[0] = #other",
                "#other++",
                "--#other",
                "#run(#req.userId)",
                "#req.lines.![T(java.lang.Math).random()]",
                "#req.userId == 'a' ? T(String) : 'b'",
            })
    void typesBeansConstructorsFunctionsAndAssignmentsAreRefusedAtConstruction(String expression) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> resolver(expression))
                .withMessageContaining("Handlers.handle")
                .withMessageContaining("must not");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(#req.userId + #req.orderNo).trim()",
                "#req.userId.concat('_' + #req.orderNo)",
                "#other['a' + #req.userId]",
                "#req.lines.!['x' + #this]",
                "(#req.userId + 'x') == 'ux'",
                "('a' + #req.userId) ?: #other",
                "#req.orderNo != null ? 'x' + #other : #req.orderNo",
            })
    void additionWhereItsNullWouldGoUnnoticedIsRefusedAtConstruction(String expression) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> resolver(expression))
                .withMessageContaining("must not")
                .withMessageContaining("+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"'constant'", "1 + 1", "{}", "req.userId", "#root", "#this", "{1, 2}"})
    void expressionWithoutAParameterIsRefusedAtConstruction(String expression) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> resolver(expression))
                .withMessageContaining("must use a parameter");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#req.", "#req.userId +", "((#req)", "SpEL:", "#{#req.userId}", "'x", "SpEL: SpEL:#req"})
    void whatIsNoExpressionIsRefusedAtConstruction(String expression) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> resolver(expression))
                .withMessageContaining("is not a SpEL expression");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#{T(java.lang.System).setProperty('pwned','1')}",
                "T(java.lang.Math).random()",
                "${user.home}",
                "#req.orderNo",
                "' + #req.orderNo + '",
            })
    void textThatLooksLikeAnExpressionStaysText(String text) {
        assertThat(resolve("#req.userId", order(text, "1"), null)).isEqualTo(text);
        assertThat(resolve("'_' + #other", text)).isEqualTo("_" + text);
        assertThat(resolve("#other[0]", List.of(text))).isEqualTo(text);
        assertThat(System.getProperty("pwned")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#other.getClass().getName()",
                "#other.class.name",
                "#other.class.classLoader.toString()",
                "#req.userId.getClass().forName('java.lang.Runtime').toString()",
            })
    void classesCannotBeReachedThroughAValue(String expression) {
        assertThatIllegalStateException().isThrownBy(() -> resolve(expression, "x"));
    }

    @Test
    void failingExpressionSaysWhichOneItIs() {
        assertThatIllegalStateException()
                .isThrownBy(() -> resolve("#req.nothing", null))
                .withMessageContaining("keyResolver '#req.nothing' of Handlers.handle failed")
                .havingCause()
                .isNotNull();
        assertThatIllegalStateException().isThrownBy(() -> resolve("#req.userId + name", null));
    }

    @Test
    void oneResolverServesManyRequests() {
        SpelKeyResolver resolver = resolver("#req.userId + '_' + #other");
        for (int i = 0; i < 1000; i++) {
            Map<Integer, Object> arguments = Map.of(0, order("u" + i, null), 1, i % 2 == 0 ? i : "t" + i);
            assertThat(resolver.resolve(arguments)).isEqualTo("u" + i + "_" + (i % 2 == 0 ? i : "t" + i));
        }
    }
}
