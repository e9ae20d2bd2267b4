// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import java.util.stream.Stream;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** An application that has a connection to Redis as Spring Boot makes it of {@code spring.data.redis}. */
final class BootRedis implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private BootRedis(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static BootRedis with(String... properties) {
        return new BootRedis(new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .run(Stream.concat(Stream.of("spring.data.redis.lettuce.shutdown-timeout=0"), Stream.of(properties))
                        .map(property -> "--" + property)
                        .toArray(String[]::new)));
    }

    RedisConnectionFactory connections() {
        return context.getBean(RedisConnectionFactory.class);
    }

    @Override
    public void close() {
        context.close();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DataRedisAutoConfiguration.class, SslAutoConfiguration.class})
    static class Application {}
}
