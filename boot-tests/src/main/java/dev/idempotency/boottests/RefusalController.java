// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Handlers that let through what a protected method of another bean refuses. */
@RestController
class RefusalController {

    private final MethodService service;

    RefusalController(MethodService service) {
        this.service = service;
    }

    @PostMapping("/settle")
    String settle(@RequestParam("id") String id, @RequestParam("there") boolean there) {
        return String.valueOf(service.optional(id, there).isPresent());
    }

    @Idempotent(bizType = "scripted")
    @PostMapping("/settle-protected")
    String settleProtected(@RequestParam("id") String id, @RequestParam("there") boolean there) {
        return settle(id, there);
    }
}
