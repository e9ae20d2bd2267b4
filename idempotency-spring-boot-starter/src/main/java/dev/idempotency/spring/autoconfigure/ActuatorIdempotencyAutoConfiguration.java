// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.encryption.PayloadEncryption;
import dev.idempotency.spring.actuate.IdempotencyEndpoint;
import dev.idempotency.spring.actuate.IdempotencyLettersEndpoint;
import dev.idempotency.spring.actuate.IdempotencyRecordsEndpoint;
import dev.idempotency.spring.actuate.IdempotencyRoutesEndpoint;
import dev.idempotency.spring.operator.AuditTrail;
import dev.idempotency.spring.operator.LetterDesk;
import dev.idempotency.spring.webhook.WebhookSenders;
import dev.idempotency.store.IdempotencyStore;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Endpoints for operators, if Spring Boot's actuator is there; it decides what is exposed and to whom. */
@AutoConfiguration(after = OperatorAutoConfiguration.class)
@ConditionalOnClass(WebEndpoint.class)
@ConditionalOnBean({LetterDesk.class, EndpointRegistry.class})
public final class ActuatorIdempotencyAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    IdempotencyEndpoint idempotencyEndpoint(
            IdempotencyProperties properties,
            Environment environment,
            EndpointRegistry endpoints,
            IdempotencyStore store,
            DeadLetterQueue letters,
            ObjectProvider<PayloadEncryption> encryption) {
        Map<String, Object> places = new LinkedHashMap<>();
        places.put("store", store.name());
        places.put("deadLetters", letters.name());
        places.put("encrypted", encryption.getIfAvailable() != null);
        places.put("namespace", Namespaces.of(properties, environment));
        if (properties.dataCenter() != null) {
            places.put("dataCenter", properties.dataCenter());
        }
        return new IdempotencyEndpoint(new Contract(properties, endpoints, places));
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyRecordsEndpoint idempotencyRecordsEndpoint(
            IdempotencyStore store, EndpointRegistry endpoints, WebhookSenders senders, AuditTrail audit) {
        return new IdempotencyRecordsEndpoint(store, new DescribedRecordKeys(endpoints, senders), audit);
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyLettersEndpoint idempotencyLettersEndpoint(DeadLetterQueue letters, LetterDesk desk) {
        return new IdempotencyLettersEndpoint(letters, desk);
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyRoutesEndpoint idempotencyRoutesEndpoint(IdempotencyCoordinator coordinator, AuditTrail audit) {
        return new IdempotencyRoutesEndpoint(coordinator.routes(), audit);
    }
}
