// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.hygiene;

import dev.idempotency.key.Fingerprint;
import dev.idempotency.spring.identity.InvalidRequestException;
import dev.idempotency.spring.problem.ProblemType;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices keys that callers should not have drawn: constant ones, guessable ones, the time. Tells of each sender and kind once
 * in the log, and every time to the listener. Its memory grows with the number of senders, not with that of keys. May be used
 * from any thread.
 */
public final class KeyHygiene {

    /** Looks at nothing. */
    public static final KeyHygiene NONE = new KeyHygiene(WeakKeys.IGNORE, Clock.systemUTC(), (sender, reason) -> {});

    private static final Logger log = LoggerFactory.getLogger(KeyHygiene.class);

    private final WeakKeys mode;
    private final Clock clock;
    private final WeakKeyListener listener;
    private final Map<String, KeyWindow> windows = new ConcurrentHashMap<>();
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    /**
     * A way to look at keys.
     *
     * @param clock what a key is compared with that might be the time
     */
    public KeyHygiene(WeakKeys mode, Clock clock, WeakKeyListener listener) {
        this.mode = mode;
        this.clock = clock;
        this.listener = listener;
    }

    /**
     * Looks at a key.
     *
     * @param sender who draws it: the sender of a webhook, or the bizType of the endpoint
     * @param content what came under it
     * @throws InvalidRequestException if it is weak and weak keys are rejected
     */
    public void look(String sender, String key, Fingerprint content) throws InvalidRequestException {
        if (mode == WeakKeys.IGNORE) {
            return;
        }
        boolean reused =
                windows.computeIfAbsent(sender, name -> new KeyWindow()).add(key, content);
        if (KeyText.isLowEntropy(key)) {
            found(sender, WeakKey.LOW_ENTROPY);
        } else if (KeyText.isClock(key, clock.instant())) {
            found(sender, WeakKey.CLOCK);
        } else if (reused) {
            found(sender, WeakKey.REUSED);
        }
    }

    private void found(String sender, WeakKey reason) throws InvalidRequestException {
        try {
            listener.weakKey(sender, reason);
        } catch (RuntimeException e) {
            log.warn("A listener to weak keys failed; the request goes on.", e);
        }
        if (reported.add(sender + " " + reason.code())) {
            log.warn(
                    "Idempotency keys of {} deserve no trust ({}): a key {}. This is logged once; see the meter"
                            + " idempotency.weak.keys.",
                    sender,
                    reason.code(),
                    reason.rule());
        }
        if (mode == WeakKeys.REJECT) {
            throw new InvalidRequestException(ProblemType.KEY_INVALID, "The idempotency key " + reason.rule() + ".");
        }
    }
}
