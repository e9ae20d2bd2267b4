// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.storm;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * 37 orders, pushed twice: a rate limiter in front of the receiver answered 429 although it had let the request through,
 * and the shop retried 200 ms apart while the first call was still at work.
 */
final class RateLimitedOrders implements Incident {

    private static final Duration GAP = Duration.ofMillis(200);
    private static final Duration PROCESSING = Duration.ofMillis(700);
    private static final int MAX_RETRIES = 20;

    @Override
    public String title() {
        return "37 orders: 429, retries 200 ms apart";
    }

    @Override
    public String bizType() {
        return "create_order";
    }

    @Override
    public int operations() {
        return 37;
    }

    @Override
    public void play(int operation, Sender sender) {
        String body = """
                {"order_id": %d, "total_price": "72.70", "currency": "EUR"}""".formatted(5_921_047_736_401L + operation);
        CompletableFuture<Boolean> unseen = deliver(operation, body, sender); // what the shop sees is the limiter's 429
        boolean accepted = false;
        for (int retry = 0; retry < MAX_RETRIES && !accepted; retry++) {
            Pause.of(GAP);
            accepted = deliver(operation, body, sender).join();
        }
        unseen.join();
    }

    private static CompletableFuture<Boolean> deliver(int operation, String body, Sender sender) {
        return sender.deliver("/webhooks/orders", "order-event-" + operation, body, PROCESSING);
    }
}
