// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import java.util.Objects;

/** What this receiver needs of a payment provider's event: which payment it is about, and what happened to it. */
public record PaymentEvent(String id, String type, Data data) {

    public PaymentEvent {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(data, "data");
    }

    /** The provider's envelope around the payment. */
    public record Data(Payment object) {

        public Data {
            Objects.requireNonNull(object, "data.object");
        }
    }

    /**
     * The payment.
     *
     * @param amount in the currency's smallest unit
     */
    public record Payment(String id, long amount, String currency) {

        public Payment {
            Objects.requireNonNull(id, "data.object.id");
            Objects.requireNonNull(currency, "data.object.currency");
        }
    }
}
