// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a change cannot skip locked rows by itself: locks those that can be had, and changes them by one statement for all that have
 * bizType and times in common, in one transaction.
 */
final class LockingRenewals implements ClaimRenewals {

    private final TimedStatements statements;
    private final String namespace;
    private final String held;
    private final String renew;

    LockingRenewals(Dialect dialect, String table, String namespace, Duration queryTimeout) {
        this.statements = new TimedStatements(queryTimeout);
        this.namespace = namespace;
        this.held = "SELECT r.record_key, r.biz_type, r.owner FROM " + table + " r WHERE " + ClaimRenewals.held(dialect)
                + " AND r.record_key IN ";
        String now = dialect.statementTime();
        this.renew = "UPDATE " + table + " r SET lease_end = " + now + " + ?, expires_at = " + now
                + " + ? WHERE r.namespace = ? AND r.biz_type = ? AND r.record_key IN ";
    }

    /** What renewals have in common that one statement can do. */
    private record Terms(String bizType, Duration lease, Duration ttl) {}

    @Override
    public List<RenewalResult> renew(Connection connection, List<Renewal> renewals) throws SQLException {
        return OwnConnections.inTransaction(connection, inTransaction -> renewFree(inTransaction, renewals));
    }

    /** A claim that holds. */
    private record Held(ByteBuffer key, String bizType, ByteBuffer owner) {

        static Held by(Renewal renewal) {
            return new Held(
                    ByteBuffer.wrap(renewal.key().toBytes()),
                    renewal.key().bizType(),
                    ByteBuffer.wrap(Parameters.bytes(renewal.owner())));
        }
    }

    private List<RenewalResult> renewFree(Connection connection, List<Renewal> renewals) throws SQLException {
        Set<Held> free = held(connection, renewals, " FOR UPDATE SKIP LOCKED");
        Map<Terms, List<Renewal>> renewable = new LinkedHashMap<>();
        List<Renewal> others = new ArrayList<>();
        for (Renewal renewal : renewals) {
            if (free.contains(Held.by(renewal))) {
                Terms terms = new Terms(renewal.key().bizType(), renewal.lease(), renewal.ttl());
                renewable.computeIfAbsent(terms, any -> new ArrayList<>()).add(renewal);
            } else {
                others.add(renewal);
            }
        }
        for (Map.Entry<Terms, List<Renewal>> group : renewable.entrySet()) {
            renew(connection, group.getKey(), group.getValue());
        }
        Set<Held> locked = others.isEmpty() ? Set.of() : held(connection, others, "");
        return renewals.stream()
                .map(renewal -> result(Held.by(renewal), free, locked))
                .toList();
    }

    private static RenewalResult result(Held asked, Set<Held> free, Set<Held> locked) {
        if (free.contains(asked)) {
            return RenewalResult.RENEWED;
        }
        return locked.contains(asked) ? RenewalResult.UNANSWERED : RenewalResult.LOST;
    }

    private Set<Held> held(Connection connection, List<Renewal> renewals, String lock) throws SQLException {
        Set<Held> claims = new HashSet<>();
        try (PreparedStatement statement = statements.prepare(connection, held + places(renewals) + lock)) {
            Parameters parameters = new Parameters(statement).text(namespace);
            for (Renewal renewal : renewals) {
                parameters.bytes(renewal.key().toBytes());
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    claims.add(new Held(
                            ByteBuffer.wrap(row.getBytes("record_key")),
                            row.getString("biz_type"),
                            ByteBuffer.wrap(row.getBytes("owner"))));
                }
            }
        }
        return claims;
    }

    private void renew(Connection connection, Terms terms, List<Renewal> renewals) throws SQLException {
        try (PreparedStatement statement = statements.prepare(connection, renew + places(renewals))) {
            Parameters parameters = new Parameters(statement)
                    .number(Micros.of(terms.lease()))
                    .number(Micros.of(terms.ttl()))
                    .text(namespace)
                    .text(terms.bizType());
            for (Renewal renewal : renewals) {
                parameters.bytes(renewal.key().toBytes());
            }
            statement.executeUpdate();
        }
    }

    private static String places(List<Renewal> renewals) {
        return "(" + String.join(", ", Collections.nCopies(renewals.size(), "?")) + ")";
    }
}
