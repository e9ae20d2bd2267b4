// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordKeyTest {

    @Test
    void theSamePartsMakeTheSameKey() {
        RecordKey one = RecordKey.builder("order").part("key", "K1").build();
        RecordKey same = RecordKey.builder("order").part("key", "K1").build();
        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(one.hex()).isEqualTo(same.hex());
    }

    @Test
    void noBoundaryOrAbsenceOrNameCanBeMistakenForAnother() {
        assertThat(List.of(
                        parts("p", "ab", "q", "c"),
                        parts("p", "a", "q", "bc"),
                        parts("p", "a", "q", "b", "r", "c"),
                        // The same bytes as the line before, if lengths did not count.
                        parts("p", "aq\u0100\u6200\u7201c"),
                        parts("p", "abc", "q", ""),
                        parts("p", "abc", "q", null),
                        parts("p", "", "q", "abc"),
                        parts("p", null, "q", "abc"),
                        parts("q", "c", "p", "ab"),
                        parts("p", "abc"),
                        parts("q", "abc"),
                        parts("pa", "bc"),
                        parts("p", null),
                        parts("p", ""),
                        parts("p", "null"),
                        parts("p", "\u0000"),
                        parts("p", "\u0000\u0000"),
                        parts("p", "K"),
                        parts("p", "k"),
                        parts("p", " k"),
                        parts("p", "é"),
                        parts("p", "e\u0301"),
                        parts()))
                .doesNotHaveDuplicates();
    }

    /** A JSON text may hold one as an escape, and with it a business id. */
    @Test
    void unpairedSurrogatesStayApart() {
        assertThat(List.of(parts("p", "?"), parts("p", "\ud83d"), parts("p", "\ud83e"), parts("p", "\ufffd")))
                .doesNotHaveDuplicates();
    }

    @Test
    void theBizTypeIsPartOfTheDigest() {
        assertThat(RecordKey.builder("a").build().hex())
                .isNotEqualTo(RecordKey.builder("b").build().hex());
    }

    @Test
    void randomPartsMakeTheSameKeyOnlyIfTheyAreTheSame() {
        Random random = new Random(7);
        Map<RecordKey, List<String>> seen = new HashMap<>();
        for (int round = 0; round < 20_000; round++) {
            RecordKey.Builder builder = RecordKey.builder("b");
            StringBuilder described = new StringBuilder();
            for (int i = random.nextInt(4); i > 0; i--) {
                String value = random.nextInt(5) == 0 ? null : "ab,|".substring(0, random.nextInt(5));
                builder.part("p", value);
                described.append(value == null ? "absent" : "'" + value + "'").append(' ');
            }
            List<String> before = seen.put(builder.build(), List.of(described.toString()));
            assertThat(before).isIn(null, List.of(described.toString()));
        }
        assertThat(seen).hasSize(1 + 6 + 36 + 216);
    }

    @Test
    void aKeyComesBackFromItsHex() {
        RecordKey key = RecordKey.builder("order").part("key", "K1").build();
        RecordKey back = RecordKey.ofHex("order", key.hex());
        assertThat(back).isEqualTo(key).hasSameHashCodeAs(key);
        assertThat(back.toBytes()).isEqualTo(key.toBytes()).hasSize(32);
        assertThat(RecordKey.ofHex("refund", key.hex())).isNotEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ab", "zz00000000000000000000000000000000000000000000000000000000000000"})
    void hexOfAnotherLengthOrAlphabetIsRefused(String hex) {
        assertThatIllegalArgumentException().isThrownBy(() -> RecordKey.ofHex("order", hex));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "create_order",
                "A-Z.0-9_",
                "1234567890123456789012345678901234567890123456789012345678901234"
            })
    void namesFitForStoreKeysAreBizTypes(String name) {
        assertThat(RecordKey.requireBizType(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a:b",
                "a/b",
                "a{b}",
                "é",
                "a\n",
                "12345678901234567890123456789012345678901234567890123456789012345"
            })
    void otherNamesAreRefusedByTheRuleAndTheName(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordKey.builder(name))
                .withMessage("a bizType must have 1 to 64 characters of A-Z a-z 0-9 _ . -, but is '" + name + "'");
    }

    @Test
    void theTextOfAKeyNeverShows() {
        assertThat(RecordKey.builder("order").part("key", "K1").build())
                .asString()
                .matches("order:[0-9a-f]{8}");
    }

    @Test
    void changingTheBytesThatAreHandedOutChangesNoKey() {
        RecordKey key = parts("p", "a");
        String before = key.hex();
        key.toBytes()[0]++;
        assertThat(key.hex()).isEqualTo(before);
    }

    private static RecordKey parts(String... namesAndValues) {
        RecordKey.Builder builder = RecordKey.builder("b");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            builder.part(namesAndValues[i], namesAndValues[i + 1]);
        }
        return builder.build();
    }
}
