// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

/** A promise that was not kept. */
final class Mismatch extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Mismatch(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
