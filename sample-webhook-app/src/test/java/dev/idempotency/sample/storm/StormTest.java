// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StormTest {

    @Test
    void incidentsHappenWithoutProtectionOnly() {
        List<Result> results = Storm.play();

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
