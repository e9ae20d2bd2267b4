// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.tck.conformance.ConformanceKit;
import dev.idempotency.tck.conformance.ConformanceTests;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ActiveProfiles("conformance")
class ConformanceTest {

    @LocalServerPort
    int port;

    @TestFactory
    Stream<DynamicTest> everyRowOfTheContract() {
        return ConformanceTests.of(ConformanceKit.against("http://localhost:" + port));
    }

    @Test
    void everyFeatureIsOffered() {
        ConformanceKit kit = ConformanceKit.against("http://localhost:" + port);

        assertThat(ConformanceKit.rows())
                .filteredOn(row -> row.feature().isPresent())
                .allSatisfy(row -> assertThat(kit.offers(row)).as("%s", row).isTrue());
    }
}
