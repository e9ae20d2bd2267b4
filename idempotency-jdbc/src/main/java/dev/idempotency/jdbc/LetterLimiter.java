// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Makes room for a letter; only for whoever has the queue locked. */
record LetterLimiter(LetterTable letters, DeadLetterLimits limits) {

    /** States in the order in which letters make room. */
    private static final List<Set<DeadLetterState>> MAKING_ROOM = List.of(
            Set.of(DeadLetterState.REDRIVEN, DeadLetterState.DISCARDED),
            Set.of(DeadLetterState.OPEN),
            Set.of(DeadLetterState.REDRIVING));

    /** Returns the ids of those that had to go although nobody was done with them. */
    List<String> makeRoom(Connection connection, int bytes) throws SQLException {
        letters.deleteExpired(connection);
        List<LetterTable.Found> kept = new ArrayList<>(letters.all(connection));
        long used =
                kept.stream().mapToLong(each -> each.letter().contentBytes()).sum();
        List<String> dropped = new ArrayList<>();
        for (Set<DeadLetterState> states : MAKING_ROOM) {
            for (LetterTable.Found oldest : List.copyOf(kept)) {
                DeadLetterState state = oldest.letter().at(oldest.now()).state();
                boolean full = kept.size() >= limits.maxCount() || used + bytes > limits.maxBytes();
                if (full && states.contains(state)) {
                    letters.delete(connection, oldest);
                    kept.remove(oldest);
                    used -= oldest.letter().contentBytes();
                    if (state == DeadLetterState.OPEN || state == DeadLetterState.REDRIVING) {
                        dropped.add(oldest.letter().id());
                    }
                }
            }
        }
        return dropped;
    }
}
