// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.idempotency.Idempotent;
import dev.idempotency.policy.IdempotencyLevel;
import dev.idempotency.spring.autoconfigure.IdempotencyAutoConfiguration;
import dev.idempotency.spring.autoconfigure.InvalidConfigurationException;
import dev.idempotency.spring.autoconfigure.JsonAutoConfiguration;
import dev.idempotency.spring.autoconfigure.MethodIdempotencyAutoConfiguration;
import dev.idempotency.spring.autoconfigure.TransactionAutoConfiguration;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;

/** What is said at start-up of methods that cannot be protected, and of those that are. */
@ExtendWith(OutputCaptureExtension.class)
class MethodStartupTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TransactionAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    JsonAutoConfiguration.class,
                    MethodIdempotencyAutoConfiguration.class));

    private void refuses(Class<?> bean, String... sentence) {
        application
                .withBean(bean)
                .run(context -> assertThat(complaint(context.getStartupFailure()))
                        .contains(sentence)
                        .doesNotContain("\n"));
    }

    private static String complaint(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof InvalidConfigurationException)) {
            cause = cause.getCause();
        }
        assertThat(cause).as("of " + failure).isNotNull();
        return cause.getMessage();
    }

    static class PrivateMethod {
        @Idempotent(keyResolver = "#id")
        private String work(String id) {
            return id;
        }

        String call() {
            return work("");
        }
    }

    static class StaticMethod {
        @Idempotent(keyResolver = "#id")
        static String work(String id) {
            return id;
        }
    }

    static class FinalMethod {
        @Idempotent(keyResolver = "#id")
        public final String work(String id) {
            return id;
        }
    }

    static final class FinalClass {
        @Idempotent(keyResolver = "#id")
        public String work(String id) {
            return id;
        }
    }

    @Test
    void whatNoProxySeesStopsTheStart() {
        refuses(PrivateMethod.class, "PrivateMethod.work", "private or static");
        refuses(StaticMethod.class, "StaticMethod.work", "private or static");
        refuses(FinalMethod.class, "FinalMethod.work", "final method");
        refuses(FinalClass.class, "FinalClass.work", "final class");
    }

    static class WithoutKey {
        @Idempotent
        public String work(String id) {
            return id;
        }
    }

    static class UnknownVariable {
        @Idempotent(keyResolver = "#other")
        public String work(String id) {
            return id;
        }
    }

    static class TypeReference {
        @Idempotent(keyResolver = "T(java.lang.System).setProperty('pwn', #id)")
        public String work(String id) {
            return id;
        }
    }

    @Test
    void aMethodNeedsAKeyOfItsArguments() {
        refuses(WithoutKey.class, "WithoutKey.work", "keyResolver");
        refuses(UnknownVariable.class, "UnknownVariable.work", "#other");
        refuses(TypeReference.class, "TypeReference.work", "types");
    }

    interface Shape {
        int area();
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface NamedByClass {}

    record Holder(List<Shape> shapes) {}

    static class ReturnsObject {
        @Idempotent(keyResolver = "#id")
        public Object work(String id) {
            return id;
        }
    }

    static class ReturnsStream {
        @Idempotent(keyResolver = "#id")
        public Stream<String> work(String id) {
            return Stream.of(id);
        }
    }

    static class ReturnsFuture {
        @Idempotent(keyResolver = "#id")
        public Future<String> work(String id) {
            return CompletableFuture.completedFuture(id);
        }
    }

    static class ReturnsInterface {
        @Idempotent(keyResolver = "#id")
        public Holder work(String id) {
            return new Holder(List.of());
        }
    }

    static class ReturnsClassNames {
        @Idempotent(keyResolver = "#id")
        public List<NamedByClass> work(String id) {
            return List.of();
        }
    }

    @Test
    void aResultMustBeOfATypeThatCanBeReadBack() {
        refuses(ReturnsObject.class, "ReturnsObject.work", "must say what it is");
        refuses(ReturnsStream.class, "ReturnsStream.work", "java.util.stream.Stream");
        refuses(ReturnsFuture.class, "ReturnsFuture.work", "CompletableFuture");
        refuses(ReturnsInterface.class, "ReturnsInterface.work", "MethodStartupTest$Shape", "apart");
        refuses(ReturnsClassNames.class, "ReturnsClassNames.work", "class names");
    }

    static class ReadsStream {
        @Idempotent(keyResolver = "#id")
        public String work(String id, InputStream in) {
            return id;
        }
    }

    public static class ReadsStreamByKey {
        @Idempotent(keyResolver = "#id", level = IdempotencyLevel.BUSINESS_ID)
        public String work(String id, InputStream in) {
            return id;
        }
    }

    @Test
    void anArgumentMustBeDataIfItCounts() {
        refuses(ReadsStream.class, "ReadsStream.work", "java.io.InputStream", "BUSINESS_ID");
        application
                .withBean(ReadsStreamByKey.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void withoutJacksonNoResultCanBeKept() {
        application
                .withClassLoader(new FilteredClassLoader("tools.jackson", "com.fasterxml.jackson"))
                .withBean(ReadsStreamByKey.class)
                .run(context ->
                        assertThat(complaint(context.getStartupFailure())).contains("Jackson"));
        application
                .withClassLoader(new FilteredClassLoader("tools.jackson", "com.fasterxml.jackson"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class CallsItself {
        final CallsItself self;

        CallsItself() {
            this.self = null;
        }

        @Idempotent(keyResolver = "#id")
        public String work(String id) {
            return id;
        }

        @Idempotent(keyResolver = "#id")
        public String other(String id, long number) {
            return id;
        }

        public String direct(boolean upper) {
            return "x" + work(upper ? "A" : "a") + other(upper ? "" : "b", 2L);
        }

        public List<String> lambda(List<String> ids) {
            return ids.stream().map(id -> work(id)).toList();
        }

        public List<String> reference(List<String> ids) {
            return ids.stream().map(this::work).toList();
        }
    }

    static class CallsItsProxy {
        private final CallsItsProxy self = null;

        @Idempotent(keyResolver = "#id")
        public String work(String id) {
            return id;
        }

        public String direct(String id) {
            return id.isEmpty() ? null : self.work(id);
        }

        public List<String> reference(List<String> ids) {
            return ids.stream().map(self::work).toList();
        }
    }

    @Test
    void selfInvocationIsReported(CapturedOutput output) {
        application
                .withBean(CallsItself.class)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).contains("CallsItself.work does not protect", "called so by direct, lambda, reference.");
        assertThat(output).contains("CallsItself.other does not protect", "called so by direct.");
    }

    @Test
    void callsThroughAnInjectedProxyAreNotReported(CapturedOutput output) {
        application
                .withBean(CallsItsProxy.class)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).doesNotContain("does not protect");
    }

    @Idempotent(bizType = "whole", keyResolver = "#p0")
    static class WholeClass implements InitializingBean {
        public String one(String id) {
            return id;
        }

        public String two(String id) {
            return id;
        }

        String helper() {
            return "";
        }

        @Override
        public void afterPropertiesSet() {}

        @Override
        public String toString() {
            return "whole";
        }
    }

    @Test
    void anAnnotatedClassProtectsItsPublicMethods(CapturedOutput output) {
        application
                .withBean(WholeClass.class)
                .withPropertyValues("idempotency.biz-types.whole.ttl=5m")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).contains("protects 0 endpoints and 2 methods of bizType whole");
    }

    @Test
    void beansThatAreMadeLaterAreKnownFromTheStart(CapturedOutput output) {
        ApplicationContextRunner lazy = application.withInitializer(
                context -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()));
        lazy.withBean(WholeClass.class)
                .withPropertyValues("idempotency.biz-types.whole.ttl=5m")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(AopUtils.isAopProxy(context.getBean(WholeClass.class)))
                            .isTrue();
                });
        assertThat(output).contains("protects 0 endpoints and 2 methods of bizType whole");
        lazy.withBean(WithoutKey.class)
                .run(context ->
                        assertThat(complaint(context.getStartupFailure())).contains("WithoutKey.work"));
    }

    @Test
    void aMistypedBizTypeStopsTheStart() {
        application
                .withBean(WholeClass.class)
                .withPropertyValues("idempotency.biz-types.hole.ttl=5m")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(
                                "idempotency.biz-types.hole must be the bizType of an endpoint or method"));
    }

    @Test
    void rulesAreCheckedAtTheStart() {
        application
                .withBean(WholeClass.class)
                .withPropertyValues("idempotency.biz-types.whole.ttl=5s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("idempotency.biz-types.whole.ttl must not be shorter than timeout"));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoOfAClass {
        @Bean
        ReadsStreamByKey first() {
            return new ReadsStreamByKey();
        }

        @Bean
        ReadsStreamByKey second() {
            return new ReadsStreamByKey();
        }
    }

    @Test
    void twoBeansOfOneClassAreReported(CapturedOutput output) {
        application
                .withUserConfiguration(TwoOfAClass.class)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).contains("ReadsStreamByKey.work is a protected method of several beans (first, second)");
    }

    @Configuration(proxyBeanMethods = false)
    static class TooEarly {
        @Bean
        static ReadsStreamByKey early() {
            return new ReadsStreamByKey();
        }

        @Bean
        static EarlyProcessor processor(ReadsStreamByKey early) {
            return new EarlyProcessor();
        }
    }

    static class EarlyProcessor implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Test
    void aBeanThatIsMadeTooEarlyStopsTheStart() {
        application
                .withUserConfiguration(TooEarly.class)
                .run(context -> assertThat(complaint(context.getStartupFailure()))
                        .contains("ReadsStreamByKey.work", "the bean early"));
    }

    @Test
    void nothingIsProtectedWhereIdempotencyIsSwitchedOff() {
        application
                .withBean(ReadsStreamByKey.class)
                .withPropertyValues("idempotency.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(IdempotentCalls.class);
                    IdempotencyTemplate template = context.getBean(IdempotencyTemplate.class);
                    assertThat(template.operation("a", null).call(String.class, () -> "ran"))
                            .isEqualTo("ran");
                });
    }

    interface Client {
        @Idempotent(bizType = "client", keyResolver = "#p0")
        String send(String id);
    }

    @Test
    void aProxyOfAnInterfaceIsProtectedByItsInterface() {
        int[] sent = new int[1];
        Client client = (Client) java.lang.reflect.Proxy.newProxyInstance(
                Client.class.getClassLoader(),
                new Class<?>[] {Client.class},
                (proxy, method, arguments) -> method.getName().equals("send") ? "sent " + ++sent[0] : "client");
        application.withBean("client", Client.class, () -> client).run(context -> {
            Client bean = context.getBean(Client.class);
            assertThat(bean.send("1")).isEqualTo("sent 1");
            assertThat(bean.send("1")).isEqualTo("sent 1");
            assertThat(bean.send("2")).isEqualTo("sent 2");
        });
    }

    record RecordService() implements Client {
        @Override
        public String send(String id) {
            return id + System.nanoTime();
        }
    }

    @Test
    void aFinalClassIsProtectedByItsInterface() {
        application
                .withBean("client", Client.class, RecordService::new)
                .run(context -> assertThat(context.getBean(Client.class).send("1"))
                        .isEqualTo(context.getBean(Client.class).send("1")));
    }
}
