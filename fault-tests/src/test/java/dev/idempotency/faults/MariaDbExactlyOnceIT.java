// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import dev.idempotency.jdbc.Database;

/** Fewer calls, as the server takes longer to start; what is more than a round of each fault is for the long form. */
class MariaDbExactlyOnceIT extends ExactlyOnceRules {

    MariaDbExactlyOnceIT() {
        super(Database.MARIADB, Settings.JOINED_CALLS / 10);
    }
}
