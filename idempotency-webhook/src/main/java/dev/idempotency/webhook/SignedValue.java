// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.util.List;

/** Where an id or a time stamp that is signed stands. */
sealed interface SignedValue {

    /** Every value there. */
    List<String> of(Delivery delivery);

    /** In a header of its own. */
    record InHeader(String name) implements SignedValue {

        @Override
        public List<String> of(Delivery delivery) {
            return delivery.headers(name);
        }
    }

    /** In an element of the signature header. */
    record BesideSignature(SignatureHeader header, String prefix) implements SignedValue {

        @Override
        public List<String> of(Delivery delivery) {
            return header.elements(delivery, prefix);
        }
    }

    /** Not signed. */
    record Absent() implements SignedValue {

        @Override
        public List<String> of(Delivery delivery) {
            return List.of();
        }
    }
}
