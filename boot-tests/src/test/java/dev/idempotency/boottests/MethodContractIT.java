// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.idempotency.IdempotencyException;
import dev.idempotency.boottests.MethodService.Line;
import dev.idempotency.boottests.MethodService.Receipt;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.spring.method.IdempotencyTemplate;
import dev.idempotency.store.Claim;
import dev.idempotency.store.ClaimResult;
import dev.idempotency.store.Completion;
import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.Lookup;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import dev.idempotency.store.RecordContent;
import dev.idempotency.store.StoredResponse;
import dev.idempotency.store.StoredResponse.Field;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

/** Protected methods of beans: what callers get, and how often the method runs. */
class MethodContractIT extends HttpContract {

    private MethodService service() {
        return server().bean(MethodService.class);
    }

    private MethodService otherService() {
        return otherServer().bean(MethodService.class);
    }

    @AfterEach
    void nobodyIsAuthenticated() {
        SecurityContextHolder.clearContext();
    }

    @Test
    void valuesComeBackEqualAndOfTheDeclaredType() {
        String id = fresh();
        Receipt first = service().receipt(id);
        assertThat(otherService().receipt(id)).isEqualTo(first).isNotSameAs(first);
        assertEffects(id, 1);

        String generic = fresh();
        assertThat(service().generic(generic)).isEqualTo(otherService().generic(generic));
        assertThat(service().generic(generic).values().iterator().next().get(0)).isInstanceOf(Line.class);
        assertEffects(generic, 1);

        String there = fresh();
        Optional<Line> line = service().optional(there, true);
        assertThat(otherService().optional(there, true)).isEqualTo(line).isPresent();
        assertEffects(there, 1);
    }

    @Test
    void noValueIsRememberedAsWhatItIs() {
        String absent = fresh();
        assertThat(service().optional(absent, false)).isEmpty();
        assertThat(otherService().optional(absent, false)).isEmpty();
        assertEffects(absent, 1);

        String sent = fresh();
        service().send(sent);
        otherService().send(sent);
        assertEffects(sent, 1);

        String none = fresh();
        assertThat(service().none(none)).isNull();
        assertThat(otherService().none(none)).isNull();
        assertEffects(none, 1);

        String text = fresh();
        assertThat(service().textNull(text)).isEqualTo("null");
        assertThat(otherService().textNull(text)).isEqualTo("null");
        assertEffects(text, 1);
    }

    @Test
    void otherContentUnderTheSameKeyIsRefused() {
        String id = fresh();
        service().optional(id, true);
        assertThatThrownBy(() -> otherService().optional(id, false)).isInstanceOf(IdempotencyException.KeyReused.class);
        assertEffects(id, 1);
    }

    @Test
    void aFutureIsARunningCallUntilItsEndIsInTheRecord() {
        String id = fresh();
        CompletableFuture<Line> first = service().later(id);
        assertThatThrownBy(() -> otherService().later(id)).isInstanceOf(IdempotencyException.InProgress.class);
        Effects.openGate(id);
        Line line = first.join();

        assertThat(otherService().later(id)).isCompletedWithValue(line);
        assertEffects(id, 1);
    }

    @Test
    void fiftyCallsAtOnceRunOnce() throws Exception {
        String id = fresh();
        List<CompletableFuture<Line>> calls = parallel(50, service -> service.gated(id));
        await().until(() -> calls.stream().filter(CompletableFuture::isDone).count() == 49);
        Effects.openGate(id);

        Line line = calls.stream()
                .map(call -> call.exceptionally(thrown -> refused(thrown)).join())
                .filter(result -> result != null)
                .findAny()
                .orElseThrow();
        assertThat(calls.stream().filter(CompletableFuture::isCompletedExceptionally))
                .hasSize(49);
        assertThat(service().gated(id)).isEqualTo(line);
        assertEffects(id, 1);
    }

    private static <T> T refused(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        assertThat(cause).isInstanceOf(IdempotencyException.InProgress.class);
        assertThat(((IdempotencyException) cause).retryAfter()).isPresent();
        return null;
    }

    @Test
    void waitingCallsGetTheFirstResult() throws Exception {
        String id = fresh();
        List<CompletableFuture<Line>> calls = parallel(50, service -> service.waiting(id));
        awaitEffects(id, 1);
        Effects.openGate(id);

        assertThat(calls.stream().map(CompletableFuture::join).distinct()).hasSize(1);
        assertEffects(id, 1);
    }

    @Test
    void manyKeysWithRepeatsInParallelRunOnceEach() throws Exception {
        List<String> ids = new ArrayList<>();
        List<CompletableFuture<Receipt>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String id = fresh();
            ids.add(id);
            calls.addAll(parallel(10, service -> service.receipt(id)));
        }
        calls.forEach(call -> call.handle(
                        (receipt, thrown) -> thrown == null ? receipt : MethodContractIT.<Receipt>refused(thrown))
                .join());
        ids.forEach(id -> assertEffects(id, 1));
    }

    /** Calls that are let go at the same moment, in turn on both instances. */
    private <T> List<CompletableFuture<T>> parallel(int count, Function<MethodService, T> call) throws Exception {
        CountDownLatch ready = new CountDownLatch(count);
        ExecutorService threads = Executors.newFixedThreadPool(count);
        List<CompletableFuture<T>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MethodService target = i % 2 == 0 ? service() : otherService();
            calls.add(CompletableFuture.supplyAsync(
                    () -> {
                        ready.countDown();
                        try {
                            ready.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                        return call.apply(target);
                    },
                    threads));
        }
        threads.shutdown();
        return calls;
    }

    /** What a planted value would like to have made. */
    public static final class Gadget implements Serializable {

        private static final long serialVersionUID = 1L;
        static volatile boolean made;

        public void setCommand(String command) {
            made = true;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            made = true;
        }
    }

    @Test
    void aPlantedValueMakesNoOtherClassAndIsCounted() throws Exception {
        String gadget = Gadget.class.getName();
        ByteArrayOutputStream serialised = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(serialised)) {
            out.writeObject(new Gadget());
        }
        double before = unavailable();

        assertRefused(serialised.toByteArray());
        assertRefused(("[\"" + gadget + "\",{\"command\":\"x\"}]").getBytes(StandardCharsets.UTF_8));
        assertThat(unavailable()).isEqualTo(before + 2);
        String named = "{\"@class\":\"" + gadget + "\",\"command\":\"x\",\"item\":\"i\",\"price\":1}";
        assertThat(planted(named.getBytes(StandardCharsets.UTF_8)).get()).isExactlyInstanceOf(Line.class);
        assertThat(Gadget.made).isFalse();
    }

    private void assertRefused(byte[] content) throws Exception {
        assertThatThrownBy(planted(content)::get).isInstanceOf(IdempotencyException.ResultUnavailable.class);
    }

    private double unavailable() {
        return server()
                .bean(MeterRegistry.class)
                .find("idempotency.requests")
                .tag("outcome", "result-unavailable")
                .tag("transport", "method")
                .counters()
                .stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    /** A call whose record somebody has written into the store. */
    private Supplier<Line> planted(byte[] content) {
        String id = fresh();
        IdempotencyStore store = server().bean(IdempotencyStore.class);
        String hex;
        try {
            throw new AssertionError(service().planted(id));
        } catch (IllegalStateException e) {
            hex = e.getMessage();
        }
        RecordKey key = RecordKey.ofHex("method", hex);
        Lookup failed = store.find(key);
        Fingerprint fingerprint = ((Lookup.Found) failed).found().fingerprint();
        OwnerToken owner = OwnerToken.random();
        Payload started = new RecordContent.Started(null).encode();
        ClaimResult claimed = store.claim(new Claim(
                key, owner, fingerprint, Duration.ofSeconds(60), Duration.ofHours(1), OnOrphan.TAKE_OVER, started));
        assertThat(claimed).isInstanceOf(ClaimResult.Claimed.class);
        StoredResponse answer = new StoredResponse(0, List.of(new Field("value", "json")), Payload.of(content));
        store.complete(
                key,
                owner,
                new Completion.Success(new RecordContent.Answer(null, answer).encode(), Duration.ofHours(1)));
        return () -> {
            Line line = service().planted(id);
            assertEffects(id, 1);
            return line;
        };
    }

    @Test
    void theTextOfAKeyIsNeverEvaluated() {
        for (String text : List.of(
                "#{T(java.lang.System).setProperty('pwn','1')}",
                "${java.version}",
                "T(java.lang.System).setProperty('pwn','1')",
                "#id")) {
            String id = text + fresh();
            assertThat(service().receipt(id)).isEqualTo(otherService().receipt(id));
            assertEffects(id, 1);
        }
        assertThat(System.getProperty("pwn")).isNull();
    }

    @Test
    void aMissingKeyIsNoSharedKey() {
        assertThatThrownBy(() -> service().send(null)).isInstanceOf(IdempotencyException.KeyMissing.class);
        assertThatThrownBy(() -> service().send("")).isInstanceOf(IdempotencyException.KeyMissing.class);
    }

    @Test
    void aReplayIsOnlyForThoseWhoMayCall() {
        String id = fresh();
        authenticate("alice");
        Line line = service().secured(id);
        authenticate("mallory");
        assertThatThrownBy(() -> service().secured(id)).isInstanceOf(AccessDeniedException.class);
        authenticate("alice");
        assertThat(otherService().secured(id)).isEqualTo(line);
        assertEffects(id, 1);
    }

    private static void authenticate(String name) {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken(name, "", "ROLE_USER"));
    }

    @Test
    void handlersHaveOneRecordAndTheirContext() {
        for (String path : List.of("/context", "/context-async")) {
            String note = fresh();
            int calls = server().store().calls();
            Answer first = http().post(path).key(note).note(note).send().isFirst(200);
            assertThat(server().store().calls() - calls)
                    .as("claim and completion")
                    .isEqualTo(2);
            assertThat(first.text()).matches("method_http 1 true [0-9a-f]{64}");
            otherHttp().post(path).key(note).note(note).send().replays(first);
            assertEffects(note, 1);
        }
    }

    @Test
    void aHandlerDecidesWhatIsStoredAndForHowLong() {
        String note = fresh();
        http().post("/not-stored").key(note).note(note).send().isFirst(200);
        http().post("/not-stored").key(note).note(note).send().isFirst(200);
        assertEffects(note, 2);

        String brief = fresh();
        http().post("/stored-briefly").key(brief).note(brief).send().isFirst(200);
        Answer second = await().until(
                        () -> http().post("/stored-briefly")
                                .key(brief)
                                .note(brief)
                                .send(),
                        answer -> answer.headers(Answer.MARK).isEmpty());
        assertThat(second.text()).isEqualTo("run 2");
    }

    @Test
    void aProtectedMethodWithinAProtectedRequestHasItsOwnRecord() {
        String note = fresh();
        Receipt direct = service().receipt(note);
        Answer first = http().post("/nested").key(note).note(note).send().isFirst(200);
        assertThat(first.text()).contains(direct.id().toString());
        otherHttp().post("/nested").key(note).note(note).send().replays(first);
        assertEffects(note, 1);
    }

    @Test
    void theTemplateRunsCodeOnce() {
        String id = fresh();
        IdempotencyTemplate template = server().bean(IdempotencyTemplate.class);
        IdempotencyTemplate other = otherServer().bean(IdempotencyTemplate.class);
        int first = template.operation("count", id).call(Integer.class, () -> Effects.happen(id));
        assertThat(other.operation("count", id).call(Integer.class, () -> Effects.happen(id)))
                .isEqualTo(first);
        assertEffects(id, 1);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(
            classes = {
                dev.idempotency.spring.autoconfigure.IdempotencyAutoConfiguration.class,
                dev.idempotency.spring.autoconfigure.JsonAutoConfiguration.class,
                dev.idempotency.spring.autoconfigure.MethodIdempotencyAutoConfiguration.class,
                dev.idempotency.spring.autoconfigure.TransactionAutoConfiguration.class
            })
    static class Worker {}

    /** Compiles a bean as an application without {@code -parameters} does, and starts with it, without a web server. */
    private static ConfigurableApplicationContext startWithoutParameterNames(Path dir, String keyResolver)
            throws Exception {
        Path source = Files.writeString(dir.resolve("Nameless.java"), """
                public class Nameless {
                    private int runs;

                    @dev.idempotency.Idempotent(keyResolver = "%s")
                    public String charge(String user, Integer id) {
                        return user + id + " " + ++runs;
                    }
                }
                """.formatted(keyResolver));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-g", "-cp", System.getProperty("java.class.path"), source.toString());
        assertThat(failed).isZero();
        URLClassLoader loader =
                new URLClassLoader(new URL[] {dir.toUri().toURL()}, MethodContractIT.class.getClassLoader());
        return new SpringApplicationBuilder(Worker.class)
                .web(WebApplicationType.NONE)
                .initializers(context -> register((GenericApplicationContext) context, loader))
                .run("--idempotency.store=memory", "--spring.config.name=none");
    }

    private static void register(GenericApplicationContext context, ClassLoader loader) {
        try {
            context.setClassLoader(loader);
            context.registerBean("nameless", loader.loadClass("Nameless"));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void withoutParameterNamesPositionsWorkAndNamesStopTheStart(@TempDir Path dir) throws Exception {
        for (String positional : List.of("#p1", "{#p0, #p1}", "#a0 + ':' + #a1")) {
            try (ConfigurableApplicationContext context = startWithoutParameterNames(dir, positional)) {
                Object bean = context.getBean("nameless");
                Method charge = bean.getClass().getMethod("charge", String.class, Integer.class);
                assertThat(charge.invoke(bean, "u1", 1)).isEqualTo("u11 1");
                assertThat(charge.invoke(bean, "u2", 2)).isEqualTo("u22 2");
                assertThat(charge.invoke(bean, "u1", 1)).isEqualTo("u11 1");
            }
        }
        for (String named : List.of("#id", "{#user, #id}", "#user + ':' + #id")) {
            assertThatThrownBy(() -> startWithoutParameterNames(dir, named))
                    .hasStackTraceContaining("Nameless.charge")
                    .hasStackTraceContaining("-parameters");
        }
    }

    @Test
    void whatAMethodRefusesIsAProblemAndNoFailureOfItsHandler() {
        String id = fresh();
        String key = fresh();

        http().post("/settle?there=true&id=" + id).send().isFirst(200);
        http().post("/settle?there=false&id=" + id).send().isProblem(422, "key-reused");
        http().post("/settle?there=true&id=").send().isProblem(400, "key-missing");
        for (int i = 0; i < 5; i++) {
            http().post("/settle-protected?there=false&id=" + id)
                    .key(key)
                    .send()
                    .isProblem(422, "key-reused");
        }

        assertEffects(id, 1);
    }
}
