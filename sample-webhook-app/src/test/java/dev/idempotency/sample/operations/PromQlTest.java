// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.sample.operations.PromQl.Matcher;
import dev.idempotency.sample.operations.PromQl.Selector;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromQlTest {

    @Test
    void selectorsAreToldFromFunctionsOperatorsAndLabels() {
        PromQl query = PromQl.parse("""
                # not_a_metric
                sum by (job, biz_type) (rate(a_total{outcome=~"x|y", job!="not{a}metric"}[$__rate_interval]))
                  / on (job) group_left sum without(instance)(b_sum offset 5m) > bool 0.5 or max_over_time(c[15m:1m]) unless d""");

        assertThat(query.selectors())
                .containsExactly(
                        new Selector(
                                "a_total",
                                List.of(new Matcher("outcome", "=~", "x|y"), new Matcher("job", "!=", "not{a}metric"))),
                        new Selector("b_sum", List.of()),
                        new Selector("c", List.of()),
                        new Selector("d", List.of()));
        assertThat(query.labels()).containsExactly("job", "biz_type", "instance");
    }

    @Test
    void alternativesAreValuesAndVariablesAreNone() {
        assertThat(new Matcher("outcome", "!~", "x|y").values()).containsExactly("x", "y");
        assertThat(new Matcher("outcome", "=", "x|y").values()).containsExactly("x|y");
        assertThat(new Matcher("job", "=~", "$job").values()).isEmpty();
    }
}
