// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import dev.idempotency.sample.storm.Storm;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A webhook receiver that needs no server to start: effects in H2, idempotency in memory unless Redis is configured. */
@SpringBootApplication
public class SampleWebhookApplication {

    public static void main(String[] args) {
        if (Arrays.asList(args).contains(Storm.OPTION)) {
            System.exit(Storm.run(args));
        }
        SpringApplication.run(SampleWebhookApplication.class, args);
    }
}
