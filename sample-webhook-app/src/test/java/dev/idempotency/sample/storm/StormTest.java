// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StormTest {

    @Test
    void oneInstanceKeepsTheIncidentsFromHappening() {
        List<Result> results = Storm.play();

        assertHarmlessUnderProtection(results);
    }

    static void assertHarmlessUnderProtection(List<Result> results) {
        assertThat(results).extracting(Result::protection).containsExactly(false, true, false, true);
        assertThat(results)
                .filteredOn(result -> !result.protection())
                .allSatisfy(result -> assertThat(result.duplicates()).isPositive());
        assertThat(results)
                .filteredOn(Result::protection)
                .allSatisfy(result ->
                        assertThat(result.exactlyOnce()).as("%s", result).isTrue())
                .allSatisfy(result -> assertThat(result.replayed()).isPositive());
    }
}
