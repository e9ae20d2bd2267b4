// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.cli;

import dev.idempotency.tck.storm.RetryStorm;
import dev.idempotency.tck.storm.SenderSchedule;
import dev.idempotency.tck.storm.StormReport;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Sends a storm and prints what came of it. */
final class StormCommand {

    private StormCommand() {}

    static int run(Options options, PrintStream out) {
        String name =
                options.value("--name").orElseGet(() -> Long.toString(new SplittableRandom().nextLong(1L << 40), 36));
        List<String> hosts = options.all("--i-may-test-this-host");
        RetryStorm storm = RetryStorm.on(options.required("--path"))
                .at(options.required("--url"))
                .name(name);
        hosts.forEach(storm::mayTest);
        shape(storm, options);
        requests(storm, options);
        boolean counted = options.value("--effects-url")
                .map(url -> new EffectsUrl(url.replace("{storm}", name), hosts))
                .map(effects -> effects.countInto(storm))
                .isPresent();
        options.value("--effect-id").ifPresent(storm::effectId);
        options.refuseUnread();

        StormReport report = storm.run();
        out.print(report);
        return verdict(report, counted, out);
    }

    private static void shape(RetryStorm storm, Options options) {
        options.count("--deliveries").ifPresent(storm::deliveries);
        options.count("--duplicates").ifPresent(storm::duplicates);
        options.value("--schedule").map(StormCommand::schedule).ifPresent(storm::schedule);
        options.duration("--compress-to").ifPresent(storm::compressTo);
        options.decimal("--drop-replies").ifPresent(storm::dropReplies);
        options.decimal("--rate").ifPresent(storm::rate);
        options.count("--concurrency").ifPresent(storm::concurrency);
        options.duration("--patience").ifPresent(storm::patience);
        options.duration("--limit").ifPresent(storm::limit);
        options.whole("--seed").ifPresent(storm::seed);
        if (options.flag("--reorder")) {
            storm.reorder();
        }
        if (options.flag("--honour-retry-after")) {
            storm.honourRetryAfter();
        }
    }

    private static void requests(RetryStorm storm, Options options) {
        options.value("--method").ifPresent(storm::method);
        options.value("--content-type").ifPresent(storm::contentType);
        options.value("--key").ifPresent(storm::key);
        options.value("--key-header").ifPresent(storm::keyHeader);
        if (options.flag("--no-key-header")) {
            storm.withoutKeyHeader();
        }
        options.value("--body-template").ifPresent(storm::body);
        for (String header : options.all("--header")) {
            int colon = header.indexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException("--header must be 'Name: value', but is " + header);
            }
            storm.header(header.substring(0, colon), header.substring(colon + 1).strip());
        }
    }

    private static SenderSchedule schedule(String name) {
        return SenderSchedule.named(name)
                .orElseThrow(() -> new IllegalArgumentException("--schedule must be one of "
                        + SenderSchedule.all().stream()
                                .map(SenderSchedule::name)
                                .toList() + ", but is " + name));
    }

    private static int verdict(StormReport report, boolean counted, PrintStream out) {
        Map<String, Consumer<StormReport>> checks = new TreeMap<>();
        if (counted) {
            checks.put("each effect happened once", StormReport::eachEffectHappenedOnce);
        }
        checks.put("every delivery was acknowledged", StormReport::everyDeliveryWasAcknowledged);
        checks.put("every repeat got the first answer", StormReport::everyRepeatGotTheFirstAnswer);
        List<AssertionError> findings = new ArrayList<>();
        checks.forEach((promise, check) -> {
            boolean kept = true;
            try {
                check.accept(report);
            } catch (AssertionError e) {
                findings.add(e);
                kept = false;
            }
            out.printf(Locale.ROOT, "%-40s %s%n", promise, kept ? "yes" : "NO");
        });
        if (!counted) {
            out.println("effects were not counted: --effects-url");
        }
        findings.forEach(finding -> out.println(finding.getMessage()));
        return findings.isEmpty() ? 0 : 1;
    }
}
