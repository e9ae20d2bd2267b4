// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.jdbc.Database;

class PostgreSqlExactlyOnceIT extends ExactlyOnceRules {

    PostgreSqlExactlyOnceIT() {
        super(Database.POSTGRESQL, Settings.JOINED_CALLS);
    }
}
