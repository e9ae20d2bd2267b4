// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.util.List;

/** A received webhook, as far as its signature is concerned. */
public interface Delivery {

    /** The values of all header lines with that name, whatever its case, in their order; empty if there are none. */
    List<String> headers(String name);

    /** The body's bytes as they came over the wire, before anything has parsed them; not a copy. */
    byte[] body();
}
