// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.cli;

import dev.idempotency.tck.conformance.ConformanceKit;
import dev.idempotency.tck.conformance.ConformanceReport;
import java.io.PrintStream;
import java.util.List;

/** Runs the rows of the HTTP contract and prints the table. */
final class ConformanceCommand {

    private ConformanceCommand() {}

    static int run(Options options, PrintStream out) {
        String url = options.required("--url");
        List<String> hosts = options.all("--i-may-test-this-host");
        options.refuseUnread();
        ConformanceReport report = ConformanceKit.against(url, hosts).run();
        out.print(report);
        return report.passed() ? 0 : 1;
    }
}
