// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.telemetry;

import dev.idempotency.Idempotent;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.instrumentation.logback.appender.v1_0.OpenTelemetryAppender;
import java.util.concurrent.CountDownLatch;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** An application with OpenTelemetry, as a user would build it. */
@SpringBootApplication
class TelemetryApplication {

    /** Gives the appender of the log, which is there before the application, the application's OpenTelemetry. */
    @Bean
    InitializingBean logExport(OpenTelemetry openTelemetry) {
        return () -> OpenTelemetryAppender.install(openTelemetry);
    }

    @Bean
    Held held() {
        return new Held();
    }

    /** Shows that a handler runs, and lets it go on. */
    record Held(CountDownLatch running, CountDownLatch goOn) {

        Held() {
            this(new CountDownLatch(1), new CountDownLatch(1));
        }
    }

    @RestController
    static class Orders {

        private final Held held;

        Orders(Held held) {
            this.held = held;
        }

        @PostMapping("/orders")
        @Idempotent(bizType = "create_order")
        ResponseEntity<String> order(@RequestBody String order) {
            return ResponseEntity.status(HttpStatus.CREATED).body("{\"ordered\":" + order.length() + "}");
        }

        @PostMapping("/refused")
        @Idempotent(bizType = "create_order")
        ResponseEntity<String> refuse(@RequestParam int status) {
            return ResponseEntity.status(status).build();
        }

        @PostMapping("/held")
        @Idempotent(bizType = "create_order")
        String hold() throws InterruptedException {
            held.running().countDown();
            held.goOn().await();
            return "done";
        }
    }
}
