// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.storm;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Plays two incidents against the application, first without protection, then with it. */
public final class Storm {

    /** The application's argument that asks for the storm. */
    public static final String OPTION = "--storm";

    private static final List<Incident> INCIDENTS = List.of(new RateLimitedOrders(), new SlowPayouts());

    private Storm() {}

    /**
     * Plays, and prints a table.
     *
     * @return 0 if every operation had exactly one effect with protection on, 1 if not
     */
    public static int run(String... args) {
        List<Result> results =
                play(Arrays.stream(args).filter(arg -> !arg.equals(OPTION)).toArray(String[]::new));
        System.out.println();
        System.out.print(ResultTable.of(results));
        return results.stream().filter(Result::protection).allMatch(Result::exactlyOnce) ? 0 : 1;
    }

    static List<Result> play(String... args) {
        List<Result> results = new ArrayList<>();
        for (boolean protection : new boolean[] {false, true}) {
            System.out.println("Playing with protection " + (protection ? "on" : "off") + " ...");
            try (Receivers receivers = Receivers.start(protection, args)) {
                receivers.addresses().forEach(Storm::warmUp);
                for (Incident incident : INCIDENTS) {
                    results.add(play(incident, protection, receivers));
                }
            }
        }
        List<String> order = INCIDENTS.stream().map(Incident::title).toList();
        results.sort(Comparator.comparingInt(result -> order.indexOf(result.incident()))); // keeps off before on
        return results;
    }

    /** One change of stock, which no incident counts, so that the first incident does not meet a cold receiver. */
    private static void warmUp(URI receiver) {
        String body = """
                {"warehouse": "STORM", "sku": "WARM-UP", "revision": %d, "quantity_delta": 1}""".formatted(receiver.getPort());
        new Sender(List.of(receiver))
                .deliver("/webhooks/inventory", "warm-up", body, Duration.ZERO)
                .join();
    }

    private static Result play(Incident incident, boolean protection, Receivers receivers) {
        Sender sender = new Sender(receivers.addresses());
        ExecutorService senders = Executors.newFixedThreadPool(incident.operations());
        try {
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (int i = 0; i < incident.operations(); i++) {
                int operation = i;
                running.add(CompletableFuture.runAsync(() -> incident.play(operation, sender), senders));
            }
            running.forEach(CompletableFuture::join);
        } finally {
            senders.shutdownNow();
        }
        return new Result(
                incident.title(),
                protection,
                incident.operations(),
                sender.deliveries(),
                receivers.effects().count(incident.bizType()),
                receivers.effects().duplicates(incident.bizType()),
                sender.replayed(),
                sender.refused());
    }
}
