// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import dev.idempotency.Idempotent;
import java.net.URI;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Receives the webhooks. The business code is what it would be without retries; {@code @Idempotent} is all there is
 * against them. How long each kind is remembered stands in {@code application.yml}.
 */
@RestController
class WebhookController {

    private final Effects effects;

    WebhookController(Effects effects) {
        this.effects = effects;
    }

    /** The business id is {@code order_id} in the payload, as by default. */
    @PostMapping("/webhooks/orders")
    @Idempotent(bizType = "create_order")
    ResponseEntity<Effect> order(@RequestBody Order order) {
        return created(effects.add(
                "create_order",
                Long.toString(order.orderId()),
                "order pushed to the ERP: " + order.totalPrice() + " " + order.currency()));
    }

    /** The business id is made of several fields of the payload. */
    @PostMapping("/webhooks/inventory")
    @Idempotent(bizType = "inventory", keyResolver = "#change.warehouse + '_' + #change.sku + '_' + #change.revision")
    ResponseEntity<Effect> inventory(@RequestBody InventoryChange change) {
        return created(effects.add(
                "inventory",
                change.warehouse() + "_" + change.sku() + "_" + change.revision(),
                "stock changed by " + change.quantityDelta()));
    }

    /** The business id is the payment's and not the event's: a provider may report one payment in two events. */
    @PostMapping("/webhooks/payments")
    @Idempotent(bizType = "payment", keyResolver = "#event.type + '_' + #event.data.object.id")
    ResponseEntity<Effect> payment(@RequestBody PaymentEvent event) {
        PaymentEvent.Payment payment = event.data().object();
        return created(effects.add(
                "payment",
                event.type() + "_" + payment.id(),
                "booked: " + payment.amount() + " " + payment.currency()));
    }

    /** Where {@code Location} points. */
    @GetMapping("/effects/{id}")
    ResponseEntity<Effect> effect(@PathVariable long id) {
        return ResponseEntity.of(effects.find(id));
    }

    /** How often each operation has had its effect, for whoever tests this receiver from outside. */
    @GetMapping("/effects/counts/{bizType}")
    Map<String, Long> counts(@PathVariable String bizType, @RequestParam(defaultValue = "") String prefix) {
        return effects.counts(bizType, prefix);
    }

    private static ResponseEntity<Effect> created(Effect effect) {
        return ResponseEntity.created(URI.create("/effects/" + effect.id())).body(effect);
    }
}
