// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import dev.idempotency.IdempotencyCoordinator;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.event.AuditLog;
import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.key.RecordKey;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.memory.InMemoryIdempotencyStore;
import dev.idempotency.redis.RedisIdempotencyStore;
import dev.idempotency.spring.autoconfigure.TestApplications.Orders;
import dev.idempotency.spring.health.StoreHealth;
import dev.idempotency.spring.hygiene.KeyHygiene;
import dev.idempotency.spring.identity.IdempotencyKeyHeader;
import dev.idempotency.spring.json.Jackson2Tokenizer;
import dev.idempotency.spring.json.Jackson3Tokenizer;
import dev.idempotency.spring.metrics.MeterListener;
import dev.idempotency.spring.problem.ProblemJsonRenderer;
import dev.idempotency.spring.problem.ProblemRenderer;
import dev.idempotency.spring.transaction.BusinessTransactions;
import dev.idempotency.spring.web.ExchangeListener;
import dev.idempotency.spring.web.IdempotencyFilter;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.StoreUnavailableException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.DispatcherType;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletListenerRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

class IdempotencyAutoConfigurationTest {

    private final WebApplicationContextRunner web =
            TestApplications.web(Orders.class).withPropertyValues("idempotency.redis.safety=off");

    private static Set<Class<?>> ours(ApplicationContext context) {
        Set<Class<?>> types = new HashSet<>();
        for (Class<?> type : List.of(
                IdempotencyStore.class,
                DeadLetterQueue.class,
                IdempotencyCoordinator.class,
                JsonTokenizer.class,
                ProblemRenderer.class,
                IdempotencyFilter.class,
                EndpointRegistry.class,
                ExchangeListener.class)) {
            if (context.getBeanNamesForType(type).length > 0) {
                types.add(type);
            }
        }
        return types;
    }

    @Test
    void everythingIsThereByDefault() {
        web.run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(InMemoryIdempotencyStore.class)
                    .hasSingleBean(InMemoryDeadLetterQueue.class)
                    .hasSingleBean(IdempotencyCoordinator.class)
                    .hasSingleBean(ProblemJsonRenderer.class)
                    .hasSingleBean(IdempotencyFilter.class)
                    .hasSingleBean(ServletListenerRegistrationBean.class)
                    .hasSingleBean(AuditLog.class)
                    .doesNotHaveBean(MeterListener.class);
            assertThat(context.getBean(EndpointRegistry.class).get()).isNotNull();
        });
    }

    @Test
    void autoConfigurationsAreRegistered() throws Exception {
        String imports = "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";
        try (var in = IdempotencyAutoConfiguration.class.getClassLoader().getResourceAsStream(imports)) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines())
                    .containsExactlyInAnyOrder(
                            ActuatorIdempotencyAutoConfiguration.class.getName(),
                            HealthIdempotencyAutoConfiguration.class.getName(),
                            IdempotencyAutoConfiguration.class.getName(),
                            JdbcStoreAutoConfiguration.class.getName(),
                            JsonAutoConfiguration.class.getName(),
                            MethodIdempotencyAutoConfiguration.class.getName(),
                            MetricsIdempotencyAutoConfiguration.class.getName(),
                            ObservationIdempotencyAutoConfiguration.class.getName(),
                            OperatorAutoConfiguration.class.getName(),
                            RedisStoreAutoConfiguration.class.getName(),
                            TransactionAutoConfiguration.class.getName(),
                            WebIdempotencyAutoConfiguration.class.getName(),
                            WebhookAutoConfiguration.class.getName());
        }
    }

    @Test
    void filterStandsBehindSpringSecurityForEveryDispatchThatItNeeds() {
        web.run(context -> {
            FilterRegistrationBean<?> registration = context.getBean(FilterRegistrationBean.class);
            assertThat(registration.getFilter()).isSameAs(context.getBean(IdempotencyFilter.class));
            assertThat(registration.getOrder())
                    .isEqualTo(IdempotencyFilter.ORDER)
                    .isGreaterThan(-100);
            assertThat(registration.determineDispatcherTypes())
                    .isEqualTo(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
        });
        web.withPropertyValues("idempotency.filter-order=5")
                .run(context -> assertThat(
                                context.getBean(FilterRegistrationBean.class).getOrder())
                        .isEqualTo(5));
    }

    @Test
    void disabledItAsksForNothingWhateverTheApplicationHas() {
        new ApplicationContextRunner()
                .withConfiguration(TestApplications.ALL)
                .withConfiguration(AutoConfigurations.of(HealthIdempotencyAutoConfiguration.class))
                .withBean(IdempotencyStore.class, () -> new InMemoryIdempotencyStore(1_000))
                .withBean(PlatformTransactionManager.class, () -> mock(PlatformTransactionManager.class))
                .withPropertyValues("idempotency.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(BusinessTransactions.class)
                        .doesNotHaveBean(StoreHealth.class));
    }

    @Test
    void disabledThereIsNothing() {
        web.withPropertyValues("idempotency.enabled=false").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(ours(context)).isEmpty();
        });
    }

    @Test
    void disabledThereIsNoFilterEvenIfTheApplicationHasItsOwnCoordinator() {
        web.withPropertyValues("idempotency.enabled=false")
                .withBean(
                        IdempotencyCoordinator.class,
                        () -> mock(IdempotencyCoordinator.class, Mockito.RETURNS_DEFAULTS))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(IdempotencyFilter.class));
    }

    @Test
    void applicationWithoutWebHasTheCoordinatorAndNoFilter() {
        new ApplicationContextRunner().withConfiguration(TestApplications.ALL).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(IdempotencyCoordinator.class);
            assertThat(ours(context)).doesNotContain(IdempotencyFilter.class, EndpointRegistry.class);
        });
    }

    @Test
    void reactiveApplicationHasTheCoordinatorAndNoFilter() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(TestApplications.ALL)
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(IdempotencyCoordinator.class);
                    assertThat(ours(context)).doesNotContain(IdempotencyFilter.class, EndpointRegistry.class);
                });
    }

    @Test
    void withoutSpringMvcThereIsNoFilter() {
        new WebApplicationContextRunner()
                .withConfiguration(TestApplications.ALL)
                .withClassLoader(new FilteredClassLoader(RequestMappingHandlerAdapter.class, DispatcherServlet.class))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(IdempotencyCoordinator.class);
                    assertThat(ours(context)).doesNotContain(IdempotencyFilter.class, EndpointRegistry.class);
                });
    }

    @Nested
    class BackOff {

        @Test
        void forAStore() {
            IdempotencyStore own = mock(IdempotencyStore.class);
            Mockito.when(own.name()).thenReturn("own");
            web.withBean(IdempotencyStore.class, () -> own)
                    .withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
                    .run(context -> {
                        assertThat(context).hasNotFailed().hasSingleBean(IdempotencyStore.class);
                        assertThat(context.getBean(IdempotencyStore.class)).isSameAs(own);
                    });
        }

        @Test
        void forADeadLetterQueue() {
            web.withBean(DeadLetterQueue.class, () -> mock(DeadLetterQueue.class))
                    .run(context -> assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(DeadLetterQueue.class)
                            .doesNotHaveBean(InMemoryDeadLetterQueue.class));
        }

        @Test
        void forACoordinator() {
            IdempotencyCoordinator own = new IdempotencyCoordinator(
                    new InMemoryIdempotencyStore(1000), new InMemoryDeadLetterQueue(), List.of());
            web.withBean(IdempotencyCoordinator.class, () -> own).run(context -> {
                assertThat(context).hasNotFailed().hasSingleBean(IdempotencyFilter.class);
                assertThat(context.getBean(IdempotencyCoordinator.class)).isSameAs(own);
            });
        }

        @Test
        void forAProblemRenderer() {
            web.withBean(ProblemRenderer.class, () -> mock(ProblemRenderer.class))
                    .run(context -> assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(ProblemRenderer.class)
                            .doesNotHaveBean(ProblemJsonRenderer.class));
        }

        @Test
        void forATokenizer() {
            web.withBean(JsonTokenizer.class, () -> mock(JsonTokenizer.class))
                    .run(context -> assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(JsonTokenizer.class)
                            .doesNotHaveBean(Jackson2Tokenizer.class)
                            .doesNotHaveBean(Jackson3Tokenizer.class));
        }

        @Test
        void forAFilter() {
            IdempotencyFilter own = new IdempotencyFilter(
                    new IdempotencyCoordinator(
                            new InMemoryIdempotencyStore(1000), new InMemoryDeadLetterQueue(), List.of()),
                    () -> {
                        throw new AssertionError("not asked for here");
                    },
                    new IdempotencyKeyHeader(List.of("X")),
                    mock(ProblemRenderer.class),
                    "Mark",
                    BusinessTransactions.none("needs no test"),
                    new IdempotencyFilter.Limits(1, 1),
                    KeyHygiene.NONE);
            web.withBean(IdempotencyFilter.class, () -> own).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(context.getBean(IdempotencyFilter.class)).isSameAs(own);
                assertThat(context.getBean(FilterRegistrationBean.class).getFilter())
                        .isSameAs(own);
            });
        }
    }

    @Nested
    class Json {

        @Test
        void isReadByJackson3IfBothAreThere() {
            web.run(context ->
                    assertThat(context).hasSingleBean(JsonTokenizer.class).hasSingleBean(Jackson3Tokenizer.class));
        }

        @Test
        void isReadByJackson2IfThatIsAllThereIs() {
            new WebApplicationContextRunner()
                    .withConfiguration(TestApplications.ALL)
                    .withClassLoader(new FilteredClassLoader("tools.jackson"))
                    .run(context -> assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(JsonTokenizer.class)
                            .hasSingleBean(Jackson2Tokenizer.class));
        }

        @Test
        void isNotReadIfThereIsNoJackson() {
            new WebApplicationContextRunner()
                    .withConfiguration(TestApplications.ALL)
                    .withClassLoader(new FilteredClassLoader("tools.jackson", "com.fasterxml.jackson"))
                    .run(context -> assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(IdempotencyFilter.class)
                            .doesNotHaveBean(JsonTokenizer.class));
        }
    }

    @Nested
    class Redis {

        private final RedisConnectionFactory first = mock(RedisConnectionFactory.class);
        private final RedisConnectionFactory second = mock(RedisConnectionFactory.class);

        private void assertUses(ApplicationContext context, RedisConnectionFactory used, RedisConnectionFactory other) {
            IdempotencyStore store = context.getBean(IdempotencyStore.class);
            assertThat(store).isInstanceOf(RedisIdempotencyStore.class);
            assertThat(catchThrowable(
                            () -> store.find(RecordKey.builder("order").build())))
                    .isInstanceOf(StoreUnavailableException.class);
            verify(used).getConnection();
            verifyNoInteractions(other);
        }

        @Test
        void isUsedByBeingThere() {
            web.withBean("any", RedisConnectionFactory.class, () -> first).run(context -> {
                assertThat(context).hasNotFailed().hasSingleBean(IdempotencyStore.class);
                assertUses(context, first, second);
            });
        }

        @Test
        void isUsedByName() {
            web.withPropertyValues("idempotency.store=redis")
                    .withBean("any", RedisConnectionFactory.class, () -> first)
                    .run(context -> assertUses(context, first, second));
        }

        @Test
        void isNotUsedIfAnotherStoreIsNamed() {
            web.withPropertyValues("idempotency.store=memory")
                    .withBean(RedisConnectionFactory.class, () -> first)
                    .run(context -> assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(IdempotencyStore.class)
                            .hasSingleBean(InMemoryIdempotencyStore.class));
        }

        @Test
        void thatIsNamedButNotThereStopsTheStart() {
            web.withPropertyValues("idempotency.store=redis")
                    .run(context -> assertThat(context.getStartupFailure())
                            .rootCause()
                            .isInstanceOf(InvalidConfigurationException.class)
                            .hasMessage(
                                    "idempotency.store is redis, but the application has no RedisConnectionFactory; add"
                                            + " spring-boot-starter-data-redis or choose another store"));
        }

        @Test
        void thatIsNotOnTheClassPathIsNotMissed() {
            for (FilteredClassLoader without : List.of(
                    new FilteredClassLoader("org.springframework.data.redis"),
                    new FilteredClassLoader("dev.idempotency.redis"))) {
                web.withClassLoader(without)
                        .run(context ->
                                assertThat(context).hasNotFailed().hasSingleBean(InMemoryIdempotencyStore.class));
            }
        }

        @Test
        void ofTwoFactoriesThePrimaryOneIsUsed() {
            web.withBean("redisConnectionFactory", RedisConnectionFactory.class, () -> first)
                    .withBean(
                            "other",
                            RedisConnectionFactory.class,
                            () -> second,
                            definition -> definition.setPrimary(true))
                    .run(context -> assertUses(context, second, first));
        }

        @Test
        void ofTwoFactoriesTheConventionallyNamedOneIsUsed() {
            web.withBean("a", RedisConnectionFactory.class, () -> first)
                    .withBean("redisConnectionFactory", RedisConnectionFactory.class, () -> second)
                    .run(context -> assertUses(context, second, first));
        }

        @Test
        void ofTwoFactoriesTheNamedOneIsUsed() {
            web.withPropertyValues("idempotency.redis.connection-factory=a")
                    .withBean("a", RedisConnectionFactory.class, () -> first)
                    .withBean(
                            "redisConnectionFactory",
                            RedisConnectionFactory.class,
                            () -> second,
                            definition -> definition.setPrimary(true))
                    .run(context -> assertUses(context, first, second));
        }

        @Test
        void ofTwoFactoriesThatNothingTellsApartNoneIsUsed() {
            web.withBean("a", RedisConnectionFactory.class, () -> first)
                    .withBean("b", RedisConnectionFactory.class, () -> second)
                    .run(context -> assertThat(context.getStartupFailure())
                            .rootCause()
                            .isInstanceOf(InvalidConfigurationException.class)
                            .hasMessageContaining("idempotency.redis.connection-factory must name the one to use"));
        }

        @Test
        void nameOfNoFactoryStopsTheStart() {
            web.withPropertyValues("idempotency.redis.connection-factory=c")
                    .withBean("a", RedisConnectionFactory.class, () -> first)
                    .withBean("c", String.class, () -> "no factory")
                    .run(context -> assertThat(context.getStartupFailure())
                            .hasStackTraceContaining("idempotency.redis.connection-factory must name a"
                                    + " RedisConnectionFactory bean, but is c")
                            .satisfies(failure -> assertThat(causes(failure))
                                    .hasAtLeastOneElementOfType(InvalidConfigurationException.class)));
        }

        private static List<Throwable> causes(Throwable thrown) {
            return Stream.iterate(thrown, cause -> cause != null, Throwable::getCause)
                    .toList();
        }
    }

    @Nested
    class OtherPeoplesBeans {

        @Test
        void areLeftAlone() {
            ObjectMapper mapper = JsonMapper.builder().build();
            web.withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
                    .withBean("redisTemplate", RedisTemplate.class, () -> mock(RedisTemplate.class))
                    .withBean("cache", StringRedisTemplate.class, () -> mock(StringRedisTemplate.class))
                    .withBean("mapper", ObjectMapper.class, () -> mapper)
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(context.getBeanNamesForType(RedisTemplate.class))
                                .containsExactlyInAnyOrder("redisTemplate", "cache");
                        assertThat(context.getBean(ObjectMapper.class)).isSameAs(mapper);
                        assertThat(context.getBeanNamesForType(ObjectMapper.class))
                                .containsExactly("mapper");
                    });
        }

        @Test
        void cannotClashWithOursByName() {
            Set<String> without = new HashSet<>();
            web.withPropertyValues("idempotency.enabled=false")
                    .run(context -> without.addAll(List.of(context.getBeanDefinitionNames())));
            web.run(context -> {
                Set<String> added = new HashSet<>(List.of(context.getBeanDefinitionNames()));
                added.removeAll(without);
                assertThat(added)
                        .isNotEmpty()
                        .allMatch(name -> name.startsWith("idempotency")
                                || name.startsWith("dev.idempotency.")
                                || name.startsWith("org.springframework.boot.context."));
            });
        }
    }

    @Nested
    class Meters {

        @Test
        void areKeptIfThereIsARegistry() {
            web.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                    .run(context -> assertThat(context).hasNotFailed().hasSingleBean(MeterListener.class));
        }

        @Test
        void ofTwoRegistriesAreKeptInThePrimaryOneIfThereIsOne() {
            web.withBean("a", MeterRegistry.class, SimpleMeterRegistry::new)
                    .withBean("b", MeterRegistry.class, SimpleMeterRegistry::new)
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(MeterListener.class));
            web.withBean("a", MeterRegistry.class, SimpleMeterRegistry::new)
                    .withBean("b", MeterRegistry.class, SimpleMeterRegistry::new, registry -> registry.setPrimary(true))
                    .run(context -> assertThat(context).hasNotFailed().hasSingleBean(MeterListener.class));
        }

        @Test
        void areNotKeptWithoutARegistryOrMicrometer() {
            web.run(context -> assertThat(context).doesNotHaveBean(MeterListener.class));
            web.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("idempotencyMeterListener"));
        }
    }
}
