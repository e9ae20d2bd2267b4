// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import java.util.List;

/** One thing that every history must show. */
interface Rule {

    /** Where it is broken; empty if nowhere. */
    List<Violation> violations(Timeline timeline, Promise promise);
}
