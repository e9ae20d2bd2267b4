// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.storm;

import dev.idempotency.tck.http.RawAnswer;
import dev.idempotency.tck.http.RawConnection;
import dev.idempotency.tck.http.RawRequest;
import dev.idempotency.tck.storm.Reply.Answered;
import dev.idempotency.tck.storm.Reply.Dropped;
import dev.idempotency.tck.storm.Reply.Missing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Makes one attempt after another over a connection of its own. Used by one thread, but for {@link #abort}. */
final class Sender {

    private static final int EXCERPT = 160;
    private static final long MAX_IDLE_NANOS = 1_000_000_000L;

    private final StormPlan plan;
    private volatile @Nullable RawConnection connection;
    private volatile boolean aborted;
    private long lastUse;

    Sender(StormPlan plan) {
        this.plan = plan;
    }

    Reply send(Delivery delivery, StormPlan.Drop drop) {
        RawRequest request = plan.request().apply(delivery, plan.body().apply(delivery));
        try {
            RawConnection open = connection();
            open.send(request);
            if (drop == StormPlan.Drop.BEFORE_REPLY) {
                hangUp();
                return new Dropped(false);
            }
            if (drop == StormPlan.Drop.IN_REPLY) {
                open.awaitFirstByte();
                hangUp();
                return new Dropped(true);
            }
            Reply reply = answered(open.receive(request));
            lastUse = System.nanoTime();
            if (!open.reusable()) {
                hangUp();
            }
            return reply;
        } catch (IOException e) {
            hangUp();
            String reason = e.getMessage();
            return new Missing(reason == null ? e.getClass().getSimpleName() : reason);
        }
    }

    /** An idle connection is given up before the server does so, at a moment when it has nothing to say. */
    private RawConnection connection() throws IOException {
        RawConnection open = connection;
        if (open != null && System.nanoTime() - lastUse < MAX_IDLE_NANOS) {
            return open;
        }
        hangUp();
        open = RawConnection.open(plan.target(), plan.patience());
        connection = open;
        if (aborted) {
            hangUp();
            throw new IOException("the storm is over");
        }
        return open;
    }

    /** Ends whatever it waits for; may be called from any thread. */
    void abort() {
        aborted = true;
        hangUp();
    }

    void hangUp() {
        RawConnection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // it is closed in any case
            }
        }
    }

    private Answered answered(RawAnswer answer) {
        String text = answer.text();
        return new Answered(
                answer.status(),
                answer.first(plan.markHeader()).filter("true"::equals).isPresent(),
                answer.first("Retry-After"),
                digest(answer),
                text.length() > EXCERPT ? text.substring(0, EXCERPT) + "..." : text);
    }

    private static String digest(RawAnswer answer) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            String head = answer.status() + "\n" + answer.all("Content-Type") + "\n" + answer.all("Location") + "\n"
                    + answer.all("ETag") + "\n";
            sha.update(head.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha.digest(answer.body()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
