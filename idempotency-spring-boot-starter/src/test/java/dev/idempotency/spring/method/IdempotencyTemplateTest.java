// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.IdempotencyContext;
import dev.idempotency.IdempotencyException;
import dev.idempotency.spring.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.spring.autoconfigure.JsonAutoConfiguration;
import dev.idempotency.spring.autoconfigure.MethodIdempotencyAutoConfiguration;
import dev.idempotency.spring.autoconfigure.TransactionAutoConfiguration;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.ParameterizedTypeReference;

class IdempotencyTemplateTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TransactionAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    JsonAutoConfiguration.class,
                    MethodIdempotencyAutoConfiguration.class));

    private final AtomicInteger runs = new AtomicInteger();

    private void with(Consumer<IdempotencyTemplate> test) {
        application.run(context -> test.accept(context.getBean(IdempotencyTemplate.class)));
    }

    record Refund(String id, int run) {}

    @Test
    void codeRunsOncePerBizTypeAndKey() {
        with(template -> {
            Refund first = refund(template, "r1");
            assertThat(refund(template, "r1")).isEqualTo(first).isNotSameAs(first);
            assertThat(refund(template, "r2").run()).isEqualTo(2);
            assertThat(template.operation("other", "r1").call(Integer.class, runs::incrementAndGet))
                    .isEqualTo(3);
        });
    }

    private Refund refund(IdempotencyTemplate template, String id) {
        return template.operation("refund", id).call(Refund.class, () -> new Refund(id, runs.incrementAndGet()));
    }

    @Test
    void otherContentIsRefused() {
        with(template -> {
            template.operation("refund", "r").with("order", 5).run(runs::incrementAndGet);
            template.operation("refund", "r").with("order", 5).run(runs::incrementAndGet);

            assertThatThrownBy(() ->
                            template.operation("refund", "r").with("order", 6).run(runs::incrementAndGet))
                    .isInstanceOf(IdempotencyException.KeyReused.class);
            assertThat(runs).hasValue(1);
        });
    }

    @Test
    void typesWithArgumentsComeBackWhole() {
        with(template -> {
            ParameterizedTypeReference<List<Refund>> refunds = new ParameterizedTypeReference<>() {};
            List<Refund> first = template.operation("list", "1").call(refunds, () -> List.of(new Refund("a", 1)));
            assertThat(template.operation("list", "1").call(refunds, List::<Refund>of))
                    .isEqualTo(first);
        });
    }

    @Test
    void theCodesOwnExceptionsPass() {
        with(template -> {
            assertThatThrownBy(() -> template.operation("io", "1").call(String.class, () -> {
                        throw new IOException("broke");
                    }))
                    .isExactlyInstanceOf(IOException.class);
            assertThat(template.operation("io", "1").call(String.class, () -> "second"))
                    .isEqualTo("second");
        });
    }

    @Test
    void aMissingKeyAndATypeThatCannotBeKeptAreRefused() {
        with(template -> {
            assertThatThrownBy(() -> template.operation("a", " ").run(runs::incrementAndGet))
                    .isInstanceOf(IdempotencyException.KeyMissing.class);
            assertThatThrownBy(() -> template.operation("a", "1").call(Object.class, runs::incrementAndGet))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(runs).hasValue(0);
        });
    }

    public static class Unwritable {

        public String getName() {
            throw new NoClassDefFoundError("of a library that is not there");
        }

        public void setName(String name) {}
    }

    @Test
    void whatRanIsDoneEvenIfAnErrorKeepsItsResultFromBeingWritten() {
        with(template -> {
            template.operation("broken", "1").call(Unwritable.class, Unwritable::new);
            assertThatThrownBy(() -> template.operation("broken", "1").call(Unwritable.class, Unwritable::new))
                    .isInstanceOf(IdempotencyException.ResultUnavailable.class);
        });
    }

    @Test
    void nestedOperationsHaveTheirOwnRecords() {
        with(template -> {
            String keys = template.operation("outer", "1").call(String.class, () -> {
                String outer = IdempotencyContext.current().orElseThrow().key().hex();
                String inner = template.operation("inner", "1")
                        .call(
                                String.class,
                                () -> IdempotencyContext.current()
                                        .orElseThrow()
                                        .key()
                                        .hex());
                String after = IdempotencyContext.current().orElseThrow().key().hex();
                assertThat(after).isEqualTo(outer).isNotEqualTo(inner);
                return outer + inner;
            });
            assertThat(keys).hasSize(128);
            assertThat(template.operation("inner", "1").call(String.class, () -> "again"))
                    .isEqualTo(keys.substring(64));
        });
    }

    @Test
    void aBizTypeOfATemplateMayHaveItsRules() {
        application
                .withPropertyValues("idempotency.biz-types.refund.on-completed=conflict")
                .withBean(Refunds.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Refunds refunds = context.getBean(Refunds.class);
                    refunds.template.operation("refund", "1").run(runs::incrementAndGet);
                    assertThatThrownBy(() ->
                                    refunds.template.operation("refund", "1").run(runs::incrementAndGet))
                            .isInstanceOf(IdempotencyException.AlreadyProcessed.class);
                });
    }

    record Refunds(IdempotencyTemplate template) {}
}
