// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import dev.idempotency.store.Renewal;
import dev.idempotency.store.RenewalResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** On PostgreSQL: in one statement, however many there are. */
final class PostgreSqlRenewals implements ClaimRenewals {

    private final TimedStatements statements;
    private final String namespace;
    private final String renew;

    PostgreSqlRenewals(Dialect dialect, String table, String namespace, Duration queryTimeout) {
        this.statements = new TimedStatements(queryTimeout);
        this.namespace = namespace;
        String now = dialect.statementTime();
        String asked = "r.record_key = a.record_key AND r.biz_type = a.biz_type AND r.owner = a.owner AND "
                + ClaimRenewals.held(dialect);
        // What the snapshot shows as held, but could not be locked or was changed meanwhile, is nobody's answer.
        this.renew =
                "WITH asked AS (SELECT * FROM unnest(?::bytea[], ?::varchar[], ?::bytea[], ?::bigint[], ?::bigint[])"
                        + " WITH ORDINALITY AS a (record_key, biz_type, owner, lease, ttl, place)), free AS (SELECT r.record_key,"
                        + " r.biz_type, r.namespace, a.lease, a.ttl, a.place FROM asked a JOIN " + table + " r ON "
                        + asked
                        + " FOR UPDATE OF r SKIP LOCKED), renewed AS (UPDATE " + table + " r SET lease_end = " + now
                        + " + f.lease, expires_at = " + now + " + f.ttl FROM free f WHERE r.record_key = f.record_key"
                        + " AND r.biz_type = f.biz_type AND r.namespace = f.namespace RETURNING f.place) SELECT"
                        + " n.place IS NOT NULL AS renewed, r.record_key IS NOT NULL AS held FROM asked a LEFT JOIN renewed n"
                        + " ON n.place = a.place LEFT JOIN " + table + " r ON " + asked + " ORDER BY a.place";
    }

    @Override
    public List<RenewalResult> renew(Connection connection, List<Renewal> renewals) throws SQLException {
        try (PreparedStatement statement = statements.prepare(connection, renew)) {
            Stream<byte[]> keys = renewals.stream().map(each -> each.key().toBytes());
            Stream<String> bizTypes = renewals.stream().map(each -> each.key().bizType());
            Stream<byte[]> owners = renewals.stream().map(each -> Parameters.bytes(each.owner()));
            Stream<Long> leases = renewals.stream().map(each -> Micros.of(each.lease()));
            Stream<Long> ttls = renewals.stream().map(each -> Micros.of(each.ttl()));
            statement.setArray(1, connection.createArrayOf("bytea", keys.toArray(byte[][]::new)));
            statement.setArray(2, connection.createArrayOf("varchar", bizTypes.toArray(String[]::new)));
            statement.setArray(3, connection.createArrayOf("bytea", owners.toArray(byte[][]::new)));
            statement.setArray(4, connection.createArrayOf("int8", leases.toArray(Long[]::new)));
            statement.setArray(5, connection.createArrayOf("int8", ttls.toArray(Long[]::new)));
            statement.setString(6, namespace);
            statement.setString(7, namespace);
            List<RenewalResult> results = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    results.add(result(row.getBoolean("renewed"), row.getBoolean("held")));
                }
            }
            return results;
        }
    }

    private static RenewalResult result(boolean renewed, boolean held) {
        if (renewed) {
            return RenewalResult.RENEWED;
        }
        return held ? RenewalResult.UNANSWERED : RenewalResult.LOST;
    }
}
