// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;

class UnknownPropertyFailureAnalyzerTest {

    private static FailureAnalysis analysis(String prefix, Class<?> type, Map<String, String> properties) {
        Binder binder = new Binder(new MapConfigurationPropertySource(properties));
        try {
            binder.bind(prefix, Bindable.of(type), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
            throw new AssertionError("everything was known");
        } catch (RuntimeException e) {
            return new UnknownPropertyFailureAnalyzer().analyze(e);
        }
    }

    @Test
    void aMisspeltSettingIsNamedWithoutItsValue() {
        FailureAnalysis analysis = analysis(
                "idempotency",
                IdempotencyProperties.class,
                Map.of("idempotency.webhook.senders.stripe.secrt", "whsec_hidden"));
        assertThat(analysis.getDescription())
                .isEqualTo("There is no setting of the name idempotency.webhook.senders.stripe.secrt.");
        assertThat(analysis.getDescription() + analysis.getAction()).doesNotContain("whsec_hidden");
    }

    record Other(String name) {}

    @Test
    void ofOtherPeoplesSettingsNothingIsSaid() {
        assertThat(analysis("other", Other.class, Map.of("other.name", "a", "other.unknown", "b")))
                .isNull();
    }
}
