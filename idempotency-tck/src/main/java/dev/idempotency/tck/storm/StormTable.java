// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import dev.idempotency.tck.storm.Reply.Answered;
import dev.idempotency.tck.storm.Reply.Dropped;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A report as plain text. */
final class StormTable {

    private StormTable() {}

    static String of(String method, String address, StormReport report) {
        List<Attempt> attempts =
                report.deliveries().stream().flatMap(d -> d.attempts().stream()).toList();
        Map<String, Long> replies =
                attempts.stream().collect(Collectors.groupingBy(StormTable::kind, TreeMap::new, Collectors.counting()));
        long[] millis = attempts.stream()
                .filter(attempt -> attempt.reply() instanceof Answered)
                .mapToLong(attempt -> attempt.took().toMillis())
                .sorted()
                .toArray();
        StringBuilder table = new StringBuilder();
        table.append(row("storm", report.name() + " (seed " + report.seed() + "), " + method + " " + address));
        table.append(row("deliveries", report.deliveries().size()));
        table.append(row(
                "attempts",
                String.format(
                        Locale.ROOT,
                        "%d in %.1f s",
                        attempts.size(),
                        report.took().toMillis() / 1e3)));
        replies.forEach((kind, count) -> table.append(row("  " + kind, count)));
        if (millis.length > 0) {
            table.append(row(
                    "answer times",
                    "half within " + millis[millis.length / 2] + " ms, 99 % within "
                            + millis[(int) (millis.length * 0.99)] + " ms, all within " + millis[millis.length - 1]
                            + " ms"));
        }
        report.effects().ifPresent(effects -> table.append(row("effects", effects)));
        if (report.deliveries().get(0).effects().isPresent()) {
            table.append(row("  more than once", count(report, 2, Long.MAX_VALUE)));
            table.append(row("  never", count(report, Long.MIN_VALUE, 0)));
        }
        return table.toString();
    }

    private static long count(StormReport report, long from, long to) {
        return report.deliveries().stream()
                .mapToLong(delivery -> delivery.effects().orElse(1))
                .filter(effects -> effects >= from && effects <= to)
                .count();
    }

    private static String kind(Attempt attempt) {
        if (attempt.reply() instanceof Answered answered) {
            return answered.status() + (answered.replayed() ? " replayed" : "");
        }
        return attempt.reply() instanceof Dropped ? "reply dropped" : "no answer";
    }

    private static String row(String name, Object value) {
        return String.format(Locale.ROOT, "%-24s %s%n", name, value);
    }
}
