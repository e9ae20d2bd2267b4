// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Names settings that do not exist, without their values, which may be secrets; Spring Boot's own word would show them. */
@Order(0)
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
        String names = cause.getUnboundProperties().stream()
                .map(property -> property.getName().toString())
                .filter(name -> name.startsWith("idempotency."))
                .sorted()
                .collect(Collectors.joining(", "));
        return names.isEmpty()
                ? null
                : new FailureAnalysis(
                        "There is no setting of the name " + names + ".",
                        "Correct the name, or remove the setting; docs/configuration.md and the metadata in your IDE list all.",
                        cause);
    }
}
