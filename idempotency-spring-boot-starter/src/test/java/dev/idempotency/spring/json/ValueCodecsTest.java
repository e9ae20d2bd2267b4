// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.text.SimpleDateFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ParameterizedTypeReference;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/** The same cases through both generations of Jackson, made from mappers whose settings lose, shorten or name classes. */
class ValueCodecsTest {

    static Stream<ValueCodec> codecs() {
        return Stream.of(new Jackson2ValueCodec(jackson2()), new Jackson3ValueCodec(jackson3()));
    }

    private static ObjectMapper jackson2() {
        ObjectMapper mapper = com.fasterxml.jackson.databind.json.JsonMapper.builder()
                .findAndAddModules()
                .build();
        mapper.setDefaultPropertyInclusion(JsonInclude.Include.NON_EMPTY);
        mapper.setDateFormat(new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT));
        mapper.activateDefaultTyping(
                com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator.builder()
                        .allowIfBaseType(Object.class)
                        .build(),
                ObjectMapper.DefaultTyping.NON_FINAL);
        return mapper;
    }

    private static JsonMapper jackson3() {
        return JsonMapper.builder()
                .changeDefaultPropertyInclusion(inclusion ->
                        JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, JsonInclude.Include.NON_EMPTY))
                .defaultDateFormat(new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT))
                .activateDefaultTyping(
                        BasicPolymorphicTypeValidator.builder()
                                .allowIfBaseType(Object.class)
                                .build(),
                        DefaultTyping.NON_FINAL)
                .build();
    }

    enum Colour {
        RED
    }

    record Times(
            Instant instant, LocalDate date, OffsetDateTime offset, ZonedDateTime zoned, Duration duration, Date old) {}

    record Value(
            Colour colour,
            BigDecimal amount,
            Long number,
            Optional<String> present,
            Optional<String> absent,
            List<String> empty,
            @Nullable String none,
            Map<String, Integer> counts) {}

    record Empty() {}

    @SuppressWarnings("JavaUtilDate")
    @ParameterizedTest
    @MethodSource("codecs")
    void valuesComeBackEqual(ValueCodec codec) throws Exception {
        Times times = new Times(
                Instant.ofEpochSecond(1, 123_456_789),
                LocalDate.of(2026, 2, 28),
                OffsetDateTime.parse("2026-02-28T12:00:00.000000001+05:30"),
                ZonedDateTime.parse("2026-02-28T12:00:00+01:00[Europe/Paris]"),
                Duration.ofNanos(1),
                new Date(1_234_567L));
        Value value = new Value(
                Colour.RED,
                new BigDecimal("1.10"),
                1L,
                Optional.of("x"),
                Optional.empty(),
                List.of(),
                null,
                Map.of("a", 1));

        assertThat(again(codec, times, Times.class)).isEqualTo(times);
        assertThat(again(codec, value, Value.class)).isEqualTo(value);
        assertThat(again(codec, new Empty(), Empty.class)).isEqualTo(new Empty());
        assertThat(again(codec, 1, int.class)).isEqualTo(1);
        assertThat(again(codec, 1L, Long.class)).isEqualTo(1L);
        assertThat(again(codec, "null", String.class)).isEqualTo("null");
        assertThat(again(codec, new byte[] {1, -1}, byte[].class)).isEqualTo(new byte[] {1, -1});
        assertThat(again(codec, List.of(times), new ParameterizedTypeReference<List<Times>>() {}.getType()))
                .isEqualTo(List.of(times));
    }

    private static @Nullable Object again(ValueCodec codec, Object value, Type type) throws ValueCodecException {
        codec.check(type);
        return codec.read(codec.write(value, type), type);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(Cat.class), @JsonSubTypes.Type(Dog.class)})
    sealed interface Animal {}

    record Cat(String name) implements Animal {}

    record Dog(String name) implements Animal {}

    @ParameterizedTest
    @MethodSource("codecs")
    void subtypesComeBackByTheNamesThatAnnotationsGive(ValueCodec codec) throws Exception {
        List<Animal> animals = List.of(new Cat("a"), new Dog("b"));

        assertThat(again(codec, animals, new ParameterizedTypeReference<List<Animal>>() {}.getType()))
                .isEqualTo(animals);
        assertThat(again(codec, animals.get(1), Animal.class)).isEqualTo(animals.get(1));
    }

    /** What a planted value would like to have made. */
    public static final class Gadget {
        static volatile boolean made;

        public void setCommand(String command) {
            made = true;
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface NamedByClass {}

    record Container(
            @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Object content) {}

    record Untyped(Map<String, Object> content) {}

    @ParameterizedTest
    @MethodSource("codecs")
    void noBytesMakeAnotherClassThanTheDeclaredOnes(ValueCodec codec) {
        String gadget = Gadget.class.getName();
        List<String> planted = List.of(
                "[\"" + gadget + "\",{\"command\":\"x\"}]",
                "{\"@class\":\"" + gadget + "\",\"command\":\"x\"}",
                "{\"content\":{\"@class\":\"" + gadget + "\",\"command\":\"x\"}}",
                "{\"content\":[\"" + gadget + "\",{\"command\":\"x\"}]}",
                "{\"content\":{\"x\":[\"" + gadget + "\",{\"command\":\"x\"}]}}");
        for (String json : planted) {
            for (Type type :
                    List.<Type>of(Value.class, Container.class, Untyped.class, NamedByClass.class, Object.class)) {
                try {
                    Object read = codec.read(json.getBytes(StandardCharsets.UTF_8), type);
                    assertThat(read).isNotInstanceOf(Gadget.class);
                } catch (ValueCodecException e) {
                    assertThat(e).hasMessageContaining("the JSON is no");
                }
            }
        }
        assertThat(Gadget.made).isFalse();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void typesThatNameClassesAreRefused(ValueCodec codec) {
        assertThatThrownBy(() -> codec.check(NamedByClass.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("class names");
        assertThatThrownBy(() -> codec.check(Container.class)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> codec.check(Runnable.class)).isInstanceOf(IllegalArgumentException.class);
        codec.check(Untyped.class);
    }

    static class Opaque {}

    @ParameterizedTest
    @MethodSource("codecs")
    void argumentsThatSayNothingAreRefused(ValueCodec codec) {
        assertThatThrownBy(() -> codec.write(new Opaque())).isInstanceOf(ValueCodecException.class);
        List<Object> cycle = new java.util.ArrayList<>();
        cycle.add(cycle);
        assertThatThrownBy(() -> codec.write(cycle))
                .isInstanceOfAny(ValueCodecException.class, StackOverflowError.class);
    }
}
