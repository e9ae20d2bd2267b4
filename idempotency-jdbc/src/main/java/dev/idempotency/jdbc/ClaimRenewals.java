// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Renews claims. Never waits for a row that somebody else has locked: its renewal is unanswered. */
@FunctionalInterface
interface ClaimRenewals {

    /** What became of each, in the same order; the connection commits by itself. */
    List<RenewalResult> renew(Connection connection, List<Renewal> renewals) throws SQLException;

    /** Condition for a claim that holds, at the table's row {@code r}. */
    static String held(Dialect dialect) {
        return "r.namespace = ? AND r.format = " + RecordRow.FORMAT + " AND r.status = " + RecordRow.PENDING
                + " AND r.lease_end > " + dialect.wallClock() + " AND r.expires_at > " + dialect.wallClock();
    }
}
