// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.conformance;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** Counts how often handlers ran, and holds those back that are told to wait. May be called from any thread. */
@Component
@Profile("conformance")
class Executions {

    private static final int MAX_HOLD_SECONDS = 30;

    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

    /** A handler runs: counted under the request's case, held back at its gate. */
    void happen(HttpServletRequest request) {
        String name = request.getHeader("X-Conformance-Case");
        String gate = request.getHeader("X-Conformance-Hold");
        counts.merge(name == null ? "" : name, 1, Integer::sum);
        if (gate != null) {
            hold(gate);
        }
    }

    private void hold(String gate) {
        try {
            boolean released = gate(gate).await(MAX_HOLD_SECONDS, TimeUnit.SECONDS);
            if (!released) {
                throw new IllegalStateException("nobody released the handler");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted at a gate", e);
        }
    }

    int count(String name) {
        return counts.getOrDefault(name, 0);
    }

    void release(String gate) {
        gate(gate).countDown();
    }

    private CountDownLatch gate(String name) {
        return gates.computeIfAbsent(name, key -> new CountDownLatch(1));
    }
}
