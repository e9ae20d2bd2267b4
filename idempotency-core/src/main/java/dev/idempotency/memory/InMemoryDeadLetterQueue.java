// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.memory;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dead letters in the heap of one process. When full, the oldest makes room and a warning names it. */
public final class InMemoryDeadLetterQueue implements DeadLetterQueue {

    private static final Logger log = LoggerFactory.getLogger(InMemoryDeadLetterQueue.class);

    private final int capacity;
    private final Map<String, DeadLetter> letters = new LinkedHashMap<>();

    /**
     * A queue.
     *
     * @param capacity most letters to keep, 1 or more
     */
    public InMemoryDeadLetterQueue(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1, but is " + capacity);
        }
        this.capacity = capacity;
    }

    @Override
    public synchronized void park(DeadLetter letter) {
        DeadLetter known = letters.get(letter.id());
        letters.put(letter.id(), known == null ? letter : known.seenAgain(letter.lastSeen()));
        if (letters.size() > capacity) {
            String oldest = letters.keySet().iterator().next();
            letters.remove(oldest);
            log.warn("Dead letter {} was dropped: the in-memory queue keeps at most {} letters.", oldest, capacity);
        }
    }

    @Override
    public synchronized List<DeadLetter> letters() {
        List<DeadLetter> latestFirst = new ArrayList<>(letters.values());
        Collections.reverse(latestFirst);
        return latestFirst;
    }
}
