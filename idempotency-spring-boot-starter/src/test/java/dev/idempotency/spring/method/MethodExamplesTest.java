// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.IdempotencyContext;
import dev.idempotency.Idempotent;
import dev.idempotency.spring.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.spring.autoconfigure.JsonAutoConfiguration;
import dev.idempotency.spring.autoconfigure.MethodIdempotencyAutoConfiguration;
import dev.idempotency.spring.autoconfigure.TransactionAutoConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.annotation.Transactional;

/** The examples of docs/methods.md. */
class MethodExamplesTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TransactionAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    JsonAutoConfiguration.class,
                    MethodIdempotencyAutoConfiguration.class))
            .withBean(Gateway.class)
            .withBean(Payments.class);

    record Order(String id, int amount) {}

    record Receipt(String order, boolean isPreliminary) {}

    static class Gateway {

        private final List<String> calls = new ArrayList<>();

        List<String> calls() {
            return calls;
        }

        Receipt charge(String key, int amount) {
            calls.add(key);
            return new Receipt("order", amount == 0);
        }

        Receipt refund(String order, int amount) {
            calls.add(order + amount);
            return new Receipt(order, false);
        }
    }

    static class Payments {

        private final Gateway gateway;

        Payments(Gateway gateway) {
            this.gateway = gateway;
        }

        @Idempotent(bizType = "charge", keyResolver = "#order.id")
        @Transactional
        public Receipt charge(Order order) {
            IdempotencyContext context = IdempotencyContext.current().orElseThrow();
            Receipt receipt = gateway.charge(context.derivedKey("charge"), order.amount());
            if (receipt.isPreliminary()) {
                context.doNotStore();
            } else {
                context.storeFor(Duration.ofDays(7));
            }
            return receipt;
        }
    }

    @Test
    void anAnnotatedMethodRunsOnce() {
        application.run(context -> {
            Payments payments = context.getBean(Payments.class);
            Receipt receipt = payments.charge(new Order("1", 5));
            assertThat(payments.charge(new Order("1", 5))).isEqualTo(receipt);
            assertThat(context.getBean(Gateway.class).calls()).hasSize(1);
        });
    }

    @Test
    void aPreliminaryReceiptIsNotStored() {
        application.run(context -> {
            Payments payments = context.getBean(Payments.class);
            payments.charge(new Order("1", 0));
            payments.charge(new Order("1", 0));
            List<String> keys = context.getBean(Gateway.class).calls();
            assertThat(keys).hasSize(2);
            assertThat(keys.get(0)).isEqualTo(keys.get(1));
        });
    }

    @Test
    void codeInATemplateRunsOnce() {
        application.run(context -> {
            IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
            Gateway gateway = context.getBean(Gateway.class);
            for (int i = 0; i < 2; i++) {
                Receipt receipt = template.operation("refund", "r1")
                        .with("1", 5)
                        .call(Receipt.class, () -> gateway.refund("1", 5));
                assertThat(receipt).isEqualTo(new Receipt("1", false));
                template.operation("mail", "1").run(() -> gateway.refund("mail", 0));
            }
            assertThat(gateway.calls()).containsExactly("15", "mail0");
        });
    }
}
