// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.idempotency.tck.conformance.RowResult.Verdict;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** The rows of the kit as tests of JUnit, to be returned by a method with {@code @TestFactory}. */
public final class ConformanceTests {

    private ConformanceTests() {}

    /**
     * One test for each row that the server has to keep. What it does not {@linkplain ConformanceKit#offers offer} is no test;
     * the table of {@link ConformanceKit#run()} names it.
     */
    public static Stream<DynamicTest> of(ConformanceKit kit) {
        return ConformanceKit.rows().stream()
                .filter(kit::offers)
                .map(row -> DynamicTest.dynamicTest(row.toString(), () -> {
                    RowResult result = kit.run(row);
                    assertEquals(Verdict.PASSED, result.verdict(), result.seen());
                }));
    }
}
