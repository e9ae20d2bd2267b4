// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.spring.json.Jackson2Tokenizer;
import dev.idempotency.spring.json.Jackson2ValueCodec;
import dev.idempotency.spring.json.Jackson3Tokenizer;
import dev.idempotency.spring.json.Jackson3ValueCodec;
import dev.idempotency.spring.json.ValueCodec;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** Reads and writes JSON with the Jackson that is there; with both, as Spring Boot 4 often has them, with Jackson 3. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
public final class JsonAutoConfiguration {

    private static final String JACKSON_2 = "com.fasterxml.jackson.databind.ObjectMapper";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "tools.jackson.core.json.JsonFactory")
    @ConditionalOnMissingBean(JsonTokenizer.class)
    static class Jackson3 {

        @Bean
        Jackson3Tokenizer idempotencyJsonTokenizer() {
            return new Jackson3Tokenizer();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "com.fasterxml.jackson.core.JsonFactory")
    @ConditionalOnMissingClass("tools.jackson.core.json.JsonFactory")
    @ConditionalOnMissingBean(JsonTokenizer.class)
    static class Jackson2 {

        @Bean
        Jackson2Tokenizer idempotencyJsonTokenizer() {
            return new Jackson2Tokenizer();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "tools.jackson.databind.json.JsonMapper")
    @ConditionalOnMissingBean(ValueCodec.class)
    static class Jackson3Values {

        /** Jackson 2 all the same, if that is what the application has a mapper of. */
        @Bean
        ValueCodec idempotencyValueCodec(ListableBeanFactory beans) {
            boolean jackson2 = ClassUtils.isPresent(JACKSON_2, getClass().getClassLoader())
                    && Jackson2ValueCodec.hasMapper(beans)
                    && !Jackson3ValueCodec.hasMapper(beans);
            return jackson2 ? Jackson2ValueCodec.from(beans) : Jackson3ValueCodec.from(beans);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = JACKSON_2)
    @ConditionalOnMissingBean(ValueCodec.class)
    static class Jackson2Values {

        @Bean
        Jackson2ValueCodec idempotencyValueCodec(BeanFactory beans) {
            return Jackson2ValueCodec.from(beans);
        }
    }
}
