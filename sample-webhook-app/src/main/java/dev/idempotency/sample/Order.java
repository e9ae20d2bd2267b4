// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.util.Objects;

/** What this receiver needs of a shop's order; the rest of the payload is left unread. */
public record Order(
        @JsonProperty("order_id") long orderId,
        @JsonProperty("total_price") BigDecimal totalPrice,
        String currency) {

    public Order {
        Objects.requireNonNull(totalPrice, "total_price");
        Objects.requireNonNull(currency, "currency");
    }
}
