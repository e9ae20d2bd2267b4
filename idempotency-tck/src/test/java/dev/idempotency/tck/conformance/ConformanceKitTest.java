// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.tck.conformance.RowResult.Verdict;
import dev.idempotency.tck.conformance.ToyServer.Fault;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConformanceKitTest {

    @Test
    void aServerThatDoesItRightPassesEveryRowItOffers() throws Exception {
        try (ToyServer server = new ToyServer(Fault.NONE)) {
            ConformanceReport report = ConformanceKit.against(server.url()).run();

            assertThat(report.with(Verdict.FAILED)).isEmpty();
            assertThat(report.passed()).isTrue();
            assertThat(report.with(Verdict.PASSED)).hasSize(30);
            assertThat(report.with(Verdict.NOT_OFFERED))
                    .allSatisfy(result -> assertThat(result.row().feature()).isPresent());
            assertThat(report.toString()).contains("C23  passed", "201, 201 replayed, 1 execution", "0 failed");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ACCEPTS_NO_KEY, C01",
        "ACCEPTS_ANY_KEY, C05 C08",
        "CUTS_LONG_KEYS, C04",
        "TAKES_QUOTES_FOR_THE_KEY, C06",
        "TAKES_THE_FIRST_OF_SEVERAL, C09",
        "FOLDS_CASE, C11",
        "FORGETS_PATH_AND_METHOD, C15 C16",
        "PROTECTS_EVERYTHING, C19 C20",
        "COMPARES_NOTHING, C17 C45 C50",
        "COMPARES_HEADERS, C29",
        "FORGETS_FAILED_CONTENT, C50",
        "DOES_NOT_MARK, C06 C23 C35 C51r",
        "REPLAYS_COOKIES, C24",
        "REPLAYS_AS_TEXT, C26",
        "REPLAYS_WITH_200, C23 C25 C27",
        "KEEPS_REFUSALS, C32 C34",
        "KEEPS_FAILURES, C35 C36 C37",
        "LOOKS_THEN_WRITES, C51",
        "FORGETS_RETRY_AFTER, C51r",
        "RUNS_ONE_AT_A_TIME, C54",
        "REFUSES_IN_PLAIN_TEXT, C01 C45",
        "FORGETS_WHEN_NOBODY_READS, C43"
    })
    void aPlantedFaultFailsItsRows(Fault fault, String rows) throws Exception {
        try (ToyServer server = new ToyServer(fault)) {
            ConformanceKit kit = ConformanceKit.against(server.url());
            List<String> wanted = List.of(rows.split(" "));

            assertThat(ConformanceKit.rows())
                    .filteredOn(row -> wanted.contains(row.id()))
                    .hasSameSizeAs(wanted)
                    .allSatisfy(row -> assertThat(kit.run(row).verdict())
                            .as("%s", row.id())
                            .isEqualTo(Verdict.FAILED));
        }
    }

    @Test
    void everyRowHasAnIdOfItsOwn() {
        assertThat(ConformanceKit.rows()).extracting(ConformanceRow::id).doesNotHaveDuplicates();
    }

    @TestFactory
    Stream<DynamicTest> rowsAreTestsOfJUnit() throws Exception {
        ToyServer server = new ToyServer(Fault.NONE);
        return ConformanceTests.of(ConformanceKit.against(server.url()))
                .filter(test -> test.getDisplayName().startsWith("C23"))
                .onClose(server::close);
    }

    @Test
    void whatIsNoServerOfTheKitIsSaidAtOnce() throws Exception {
        String url;
        try (ToyServer server = new ToyServer(Fault.NONE)) {
            url = server.url();
            assertThatThrownBy(() -> ConformanceKit.against(server.url() + "/elsewhere"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("/conformance/features must answer 200");
        }
        assertThatThrownBy(() -> ConformanceKit.against(url)).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> ConformanceKit.against("http://192.0.2.1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("you may test 192.0.2.1");
    }
}
