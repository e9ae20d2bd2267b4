// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatusSetTest {

    private static List<Integer> members(String... items) {
        StatusSet set = new StatusSet(List.of(items));
        return IntStream.rangeClosed(-1, 1000).filter(set::contains).boxed().toList();
    }

    @Test
    void classHoldsItsHundredStatuses() {
        assertThat(members("2xx")).hasSize(100).startsWith(200).endsWith(299);
        assertThat(members("5xx")).hasSize(100).startsWith(500).endsWith(599);
        assertThat(members("2xx", "3xx")).hasSize(200);
    }

    @Test
    void singleStatusesAndClassesGoTogether() {
        assertThat(members(" 402 ", "404", "402")).containsExactly(402, 404);
        assertThat(members("3xx", "402")).hasSize(101).contains(402);
        assertThat(members("200", "599")).containsExactly(200, 599);
    }

    @Test
    void emptySetHasNothing() {
        assertThat(members()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "199",
                "600",
                "99",
                "1000",
                "-200",
                "+200",
                "0xx",
                "1xx",
                "6xx",
                "9xx",
                "xxx",
                "xx",
                "2x",
                "2xxx",
                "20x",
                "-xx",
                "ok",
                "2 0 0",
                "200.0",
                "\u0662xx",
                "\u0662\u0660\u0660"
            })
    void anythingElseIsRefusedWithItsText(String item) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StatusSet(List.of("2xx", item)))
                .withMessageContaining("'" + item + "'");
    }
}
