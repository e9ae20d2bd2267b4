// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.faults.app.Point;
import dev.idempotency.faults.app.Sabotage;
import dev.idempotency.faults.history.Event.Answered;
import dev.idempotency.faults.history.Event.Called;
import dev.idempotency.faults.history.Event.Unanswered;
import dev.idempotency.faults.history.History;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends calls and writes down what comes back. */
final class Sender {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Pattern EFFECT = Pattern.compile("\"effect\":(\\d+)");
    private static final Pattern PROBLEM = Pattern.compile("\"type\":\"urn:idempotency:([a-z-]+)\"");

    private final Driver driver;
    private final History history;
    private final String path;
    private Sabotage sabotage = Sabotage.NONE;

    Sender(Driver driver, History history, String path) {
        this.driver = driver;
        this.history = history;
        this.path = path;
    }

    /** Every call from here on asks for the fault. */
    void sabotage(Sabotage wanted) {
        sabotage = wanted;
    }

    /**
     * Sends a call.
     *
     * @param hold where the application is to hold it up, null for nowhere
     */
    Call send(String operation, Instance to, Point hold) {
        long number = driver.nextNumber();
        HttpRequest.Builder request = HttpRequest.newBuilder(to.uri(path))
                .timeout(LIMIT)
                .header("X-Idempotency-Key", operation)
                .header("X-Call", Long.toString(number))
                .header("X-Sabotage", sabotage.name())
                .POST(BodyPublishers.noBody());
        if (hold != null) {
            request.header("X-Hold", hold.name());
        }
        history.add(new Called(operation, number));
        CompletableFuture<Answered> end = CLIENT.sendAsync(request.build(), BodyHandlers.ofString())
                .handle((response, failure) -> ended(operation, number, response));
        return new Call(operation, number, end);
    }

    private Answered ended(String operation, long number, HttpResponse<String> response) {
        if (response == null) {
            history.add(new Unanswered(operation, number));
            return null;
        }
        Matcher effect = EFFECT.matcher(response.body());
        Matcher problem = PROBLEM.matcher(response.body());
        Answered answer = new Answered(
                operation,
                number,
                response.statusCode(),
                response.headers().firstValue("Idempotent-Replayed").isPresent(),
                problem.find() ? problem.group(1) : "",
                effect.find() ? Long.parseLong(effect.group(1)) : 0);
        history.add(answer);
        return answer;
    }
}
