// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.cli;

import dev.idempotency.tck.http.RawAnswer;
import dev.idempotency.tck.http.RawConnection;
import dev.idempotency.tck.http.RawRequest;
import dev.idempotency.tck.http.Target;
import dev.idempotency.tck.storm.RetryStorm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts effects by asking a URL, which answers a number, or a flat JSON object of effect id to count. */
final class EffectsUrl {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Pattern OBJECT = Pattern.compile("\\{.*}", Pattern.DOTALL);
    private static final Pattern MEMBER = Pattern.compile("\"([^\"\\\\]*)\"\\s*:\\s*(\\d{1,18})");

    private final Target target;
    private final String path;

    EffectsUrl(String url, Collection<String> hosts) {
        URI address = URI.create(url);
        String query = address.getRawQuery();
        this.path = address.getRawPath() + (query == null ? "" : "?" + query);
        this.target = Target.of(URI.create(address.getScheme() + "://" + address.getRawAuthority()), hosts);
    }

    /** Tells the storm to count this way; by total if the URL answers a number now. */
    RetryStorm countInto(RetryStorm storm) {
        return NUMBER.matcher(ask()).matches()
                ? storm.effectCount(() -> Long.parseLong(ask()))
                : storm.effects(this::counts);
    }

    private Map<String, Long> counts() {
        String text = ask();
        if (!OBJECT.matcher(text).matches()) {
            throw new IllegalStateException("--effects-url must answer a number or a JSON object of counts");
        }
        Map<String, Long> counts = new HashMap<>();
        Matcher member = MEMBER.matcher(text);
        while (member.find()) {
            counts.merge(member.group(1), Long.valueOf(member.group(2)), Long::sum);
        }
        return counts;
    }

    private String ask() {
        try (RawConnection connection = RawConnection.open(target, PATIENCE)) {
            RawAnswer answer = connection.exchange(RawRequest.of("GET", path).with("Connection", "close"));
            if (answer.status() != 200) {
                throw new IllegalStateException("--effects-url must answer 200, but answers " + answer.status());
            }
            return answer.text().strip();
        } catch (IOException e) {
            throw new UncheckedIOException("--effects-url does not answer: " + e.getMessage(), e);
        }
    }
}
