// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonNumbersTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "1.0",
                "1e0",
                "1E0",
                "10e-1",
                "0.1e1",
                "0.1E+1",
                "100e-2",
                "1.000e-0",
                "0.001e3",
                "1e-0000000000000000000000"
            })
    void everyNotationOfOneIsTheSame(String one) {
        assertThat(JsonNumbers.canonical(one)).isEqualTo(JsonNumbers.canonical("1"));
        assertThat(JsonNumbers.canonical("-" + one)).isEqualTo(JsonNumbers.canonical("-1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.0", "0e0", "0e5", "0.00E-7", "0e99999999999999999999999999"})
    void everyNotationOfZeroIsTheSameButNegativeZeroIsAnother(String zero) {
        assertThat(JsonNumbers.canonical(zero)).isEqualTo("0");
        assertThat(JsonNumbers.canonical("-" + zero)).isEqualTo("-0");
    }

    @Test
    void numbersThatADoubleCannotTellApartDiffer() {
        assertThat(List.of(
                        JsonNumbers.canonical("9007199254740992"),
                        JsonNumbers.canonical("9007199254740993"),
                        JsonNumbers.canonical("0.1"),
                        JsonNumbers.canonical("0.1000000000000000055511151231257827"),
                        JsonNumbers.canonical("1e400"),
                        JsonNumbers.canonical("1e401"),
                        JsonNumbers.canonical("1e-400"),
                        JsonNumbers.canonical("-1e-400")))
                .doesNotHaveDuplicates();
    }

    @Test
    void exponentsOfAnySizeAreExact() {
        assertThat(JsonNumbers.canonical("10e9223372036854775807")).isEqualTo("1e9223372036854775808");
        assertThat(JsonNumbers.canonical("0.1e-9223372036854775808")).isEqualTo("1e-9223372036854775809");
        assertThat(JsonNumbers.canonical("100e+99999999999999999")).isEqualTo("1e100000000000000001");
        assertThat(JsonNumbers.canonical("1e+00000000000000000000000005")).isEqualTo("1e5");
    }

    @Test
    void agreesWithBigDecimalOnRandomNumbers() {
        Random random = new Random(53);
        for (int round = 0; round < 50_000; round++) {
            String one = randomNumber(random);
            String other = random.nextInt(4) == 0 ? one + "e0" : randomNumber(random);
            if (one.indexOf('e') >= 0) {
                other = randomNumber(random);
            }
            boolean sameValue = new BigDecimal(one).compareTo(new BigDecimal(other)) == 0
                    && one.startsWith("-") == other.startsWith("-");
            assertThat(JsonNumbers.canonical(one).equals(JsonNumbers.canonical(other)))
                    .as("%s and %s", one, other)
                    .isEqualTo(sameValue);
        }
    }

    /** Of few digits, so that equal values in different notations are frequent. */
    private static String randomNumber(Random random) {
        StringBuilder number = new StringBuilder(random.nextInt(3) == 0 ? "-" : "");
        number.append(
                random.nextInt(3) == 0
                        ? "0"
                        : List.of("1", "2", "10", "20", "100").get(random.nextInt(5)));
        if (random.nextBoolean()) {
            number.append('.').append(List.of("0", "1", "10", "00", "01", "010").get(random.nextInt(6)));
        }
        if (random.nextBoolean()) {
            number.append('e').append(random.nextInt(5) - 2);
        }
        return number.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "7, 7",
        "7.0, 7",
        "70e-1, 7",
        "7e1, 70",
        "-12, -12",
        "0, 0",
        "1.5, 15e-1",
        "1e30, 1" + ZEROS,
        "1e31, 1e31"
    })
    void anIntegerReadsAsItsDigits(String number, String plain) {
        assertThat(JsonNumbers.plain(JsonNumbers.canonical(number))).isEqualTo(plain);
    }

    private static final String ZEROS = "000000000000000000000000000000";
}
