// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Shows what is wrong with the idempotency settings instead of a stack trace; before Spring Boot's own word on binding. */
@Order(0)
final class InvalidConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
        String sentence = String.valueOf(cause.getMessage());
        return new FailureAnalysis(
                sentence.endsWith(".") ? sentence : sentence + ".",
                "Change the setting in the application's configuration or on the annotation.",
                cause);
    }
}
