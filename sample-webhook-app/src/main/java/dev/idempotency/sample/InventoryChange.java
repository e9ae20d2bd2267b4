// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/** What this receiver needs of an ERP's stock movement. A revision of a warehouse's article exists once. */
public record InventoryChange(
        String warehouse,
        String sku,
        long revision,
        @JsonProperty("quantity_delta") int quantityDelta) {

    public InventoryChange {
        Objects.requireNonNull(warehouse, "warehouse");
        Objects.requireNonNull(sku, "sku");
    }
}
