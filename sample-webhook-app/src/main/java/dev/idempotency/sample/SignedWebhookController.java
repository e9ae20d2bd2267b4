// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import java.net.URI;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Receives signed webhooks, one path for each sender in {@code application.yml}. There is no annotation and no check of a
 * signature here: what comes to a sender's path is verified, and an event runs once.
 */
@RestController
class SignedWebhookController {

    private final Effects effects;

    SignedWebhookController(Effects effects) {
        this.effects = effects;
    }

    @PostMapping("/webhooks/signed/{sender}")
    ResponseEntity<Effect> receive(@PathVariable String sender, @RequestBody byte[] body) {
        Effect effect = effects.add(sender, "signed event", "received " + body.length + " bytes from " + sender);
        return ResponseEntity.created(URI.create("/effects/" + effect.id())).body(effect);
    }
}
