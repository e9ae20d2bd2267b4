// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.Idempotent;
import dev.idempotency.spring.autoconfigure.TestApplications.Orders;
import dev.idempotency.spring.webhook.WebhookFilter;
import dev.idempotency.spring.webhook.WebhookSecrets;
import dev.idempotency.webhook.Secret;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@ExtendWith(OutputCaptureExtension.class)
class WebhookConfigurationTest {

    private static final String SENDER = "idempotency.webhook.senders.acme.";
    private static final String HIDDEN = "0123456789-not-to-be-seen";

    private static WebApplicationContextRunner application(String... settings) {
        return TestApplications.web(Orders.class)
                .withPropertyValues(Stream.of(settings)
                        .map(setting -> setting.startsWith("idempotency.") ? setting : SENDER + setting)
                        .toArray(String[]::new));
    }

    private static List<String> complaints(WebApplicationContextRunner runner) {
        Throwable[] failure = new Throwable[1];
        runner.run(context -> failure[0] = context.getStartupFailure());
        return Stream.iterate(failure[0], cause -> cause != null, Throwable::getCause)
                .filter(InvalidConfigurationException.class::isInstance)
                .map(Throwable::getMessage)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "preset=unknown | preset must be one of standard-webhooks, svix, stripe, github, shopify, square, slack, but is unknown",
                "tolerance=-1s | tolerance must not be negative, but is PT-1S",
                "paths= | paths must name at least one path, but is []",
                "paths=hooks | paths must start with a slash, but is hooks",
                "retry-schedule=1s,0s | retry-schedule must have positive waits only, but has PT0S",
                "retry-window=-1s | retry-window must end after it begins, but is PT-1S",
                "acknowledgement.running-status=200 | acknowledgement: running-status must be from 400 to 599, or the sender would not come back, but is 200",
                "ignore=x | ignore: a JSON pointer must start with '/', but is 'x'",
                "event-id=form: | event-id must be body, a JSON pointer, form: and a parameter, or a header",
                "hmac.signature-header=X | hmac must not be given besides a preset, but is given",
                "preset=square | url must be set, as the sender signs it, but is null",
                "biz-type=a b | biz-type: a bizType must have 1 to 64 characters of A-Z a-z 0-9 _ . -, but is 'a b'",
            })
    void aSettingThatBreaksItsRuleIsNamed(String setting, String complaint) {
        List<String> complaints = complaints(application("preset=github", "secret=x", "paths=/in", setting));

        assertThat(complaints).containsExactly(SENDER + complaint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret=", "secrets=", "tolerance=5m"})
    void aMissingSecretStopsTheStart(String setting) {
        assertThat(complaints(application("preset=stripe", "paths=/in", setting)))
                .containsExactly(SENDER + "secret must be set, unless a WebhookSecrets bean gives one");
    }

    @Test
    void aSecretOfTheWrongKindIsNotShown(CapturedOutput output) {
        assertThat(complaints(application("preset=standard-webhooks", "paths=/in", "secret=" + HIDDEN)))
                .containsExactly(SENDER + "secret must be whsec_ and the base64 of at least 16 bytes");
        assertThat(output).doesNotContain(HIDDEN);
    }

    @Test
    void secretsAreNotInTheTextOfTheSettings() {
        application("preset=github", "paths=/in", "secret=" + HIDDEN, "secrets=" + HIDDEN)
                .run(context -> assertThat(
                                context.getBean(IdempotencyProperties.class).toString())
                        .contains("github")
                        .doesNotContain(HIDDEN));
    }

    @Test
    void aSenderWithoutAPresetSaysHowItSigns() {
        assertThat(complaints(application("paths=/in", "secret=x")).get(0))
                .startsWith(SENDER + "preset must be one of standard-webhooks,")
                .endsWith("unless hmac says how it signs, but is null");
        assertThat(complaints(application("paths=/in", "secret=x", "hmac.prefix=a")))
                .containsExactly(SENDER + "hmac.signature-header must be the name of a header");
        assertThat(complaints(application("paths=/in", "secret=x", "hmac.signature-header=X")))
                .containsExactly(SENDER + "event-id must say where the event's id is, or be none, but is []");
        assertThat(complaints(application(
                        "paths=/in", "secret=x", "hmac.signature-header=X", "hmac.signed-content={timestamp}.{body}")))
                .containsExactly(SENDER + "hmac: timestamp-header or timestamp-prefix must be given,"
                        + " as signed-content is {timestamp}.{body}");
        application("paths=/in", "secret=x", "hmac.signature-header=X", "event-id=none")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void verificationHasItsPlaceBeforeTheClaim() {
        assertThat(complaints(
                        application("preset=github", "secret=x", "paths=/in", "idempotency.filter-order=-2147483648")))
                .containsExactly("idempotency.filter-order must leave a place before it for the verification of"
                        + " webhooks, but is -2147483648");
    }

    @Test
    void twoSendersDoNotShareAPath() {
        assertThat(complaints(application(
                        "preset=github",
                        "secret=x",
                        "paths=/in",
                        "idempotency.webhook.senders.other.preset=github",
                        "idempotency.webhook.senders.other.secret=x",
                        "idempotency.webhook.senders.other.paths=/IN")))
                .containsExactly(
                        "idempotency.webhook.senders.other.paths must not be those of another sender, but is /IN");
    }

    @Test
    void whatNobodySaysFitsTheSender(CapturedOutput output) {
        for (String preset : List.of("standard-webhooks", "svix", "stripe", "github", "shopify", "square", "slack")) {
            application(
                            "preset=" + preset,
                            "secret=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                            "paths=/in",
                            "url=https://example.org/in",
                            "idempotency.checks=strict")
                    .run(context -> assertThat(context).as(preset).hasNotFailed());
        }
        assertThat(output).doesNotContain("goes on trying").doesNotContain("first retry");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "idempotency.biz-types.acme.ttl=71h | the ttl of bizType acme must be longer than the sender acme goes on trying (PT72H), or a late attempt runs again, but is PT71H",
                "idempotency.defaults.ttl=5m | the ttl of bizType acme must be longer than the sender acme goes on trying (PT72H), or a late attempt runs again, but is PT5M",
                "retry-schedule=1s,5s,30s,5m | the timeout of bizType acme must not be longer than the sender acme waits for its first retry (PT1S), unless on-duplicate is wait, but is PT5S",
                "retry-window=30d;idempotency.biz-types.acme.ttl=29d | the ttl of bizType acme must be longer than the sender acme goes on trying (PT720H), or a late attempt runs again, but is PT696H",
            })
    void whatDoesNotFitTheSenderIsAWarningOrNoStart(String settings, String complaint, CapturedOutput output) {
        WebApplicationContextRunner runner = application("preset=stripe", "secret=x", "paths=/in");
        for (String setting : settings.split(";", -1)) {
            runner = runner.withPropertyValues(setting.startsWith("idempotency.") ? setting : SENDER + setting);
        }
        runner.run(context -> assertThat(context).hasNotFailed());
        assertThat(output).containsOnlyOnce(complaint + " (idempotency.checks).");

        assertThat(complaints(runner.withPropertyValues("idempotency.checks=strict")))
                .containsExactly(complaint);
    }

    @Test
    void aRepeatThatWaitsNeedsNoShortTimeout() {
        application(
                        "preset=stripe",
                        "secret=x",
                        "paths=/in",
                        "retry-schedule=1s,5s,30s,5m",
                        "idempotency.biz-types.acme.on-duplicate=wait",
                        "idempotency.checks=strict")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @RestController
    static class Annotated {

        @Idempotent(bizType = "payment", ttl = "1h")
        @PostMapping("/in/payments")
        String receive() {
            return "ok";
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/in/payments", "/in/**", "/in/{kind}", "/IN/payments"})
    void anAnnotatedHandlerOnTheSendersPathIsChecked(String path) {
        assertThat(complaints(TestApplications.web(Annotated.class)
                        .withPropertyValues(
                                SENDER + "preset=github",
                                SENDER + "secret=x",
                                SENDER + "paths=" + path,
                                "idempotency.checks=strict")))
                .containsExactly("the ttl of bizType payment must be longer than the sender acme goes on trying"
                        + " (PT72H), or a late attempt runs again, but is PT1H");
    }

    @Test
    void aBeanMayGiveTheSecrets() {
        WebApplicationContextRunner runner = application("preset=github", "paths=/in");
        runner.withBean(WebhookSecrets.class, () -> sender -> List.of(Secret.of(sender)))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(complaints(runner.withBean(WebhookSecrets.class, () -> sender -> List.of())))
                .containsExactly("the WebhookSecrets bean must give at least one secret of acme, but gives none");
        assertThat(complaints(runner.withBean(WebhookSecrets.class, () -> sender -> {
                    throw new IllegalStateException("the vault is closed");
                })))
                .containsExactly("the WebhookSecrets bean failed to give a usable secret of acme: the vault is closed");
    }

    private static int status(WebApplicationContextRunner runner) {
        int[] status = new int[1];
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            FilterRegistrationBean<?> registration =
                    context.getBeansOfType(FilterRegistrationBean.class).values().stream()
                            .filter(bean -> bean.getFilter() instanceof WebhookFilter)
                            .findAny()
                            .orElseThrow();
            MockHttpServletRequest request = new MockHttpServletRequest("POST", "/in");
            request.setServletPath("/in");
            request.addHeader("X-Hub-Signature-256", "sha256=00");
            MockHttpServletResponse response = new MockHttpServletResponse();
            registration.getFilter().doFilter(request, response, new MockFilterChain());
            status[0] = response.getStatus();
        });
        return status[0];
    }

    @Test
    void verificationStaysWhenIdempotencyIsSwitchedOff() {
        assertThat(status(application("preset=github", "secret=x", "paths=/in", "idempotency.enabled=false")))
                .isEqualTo(401);
        assertThat(status(application("preset=stripe", "secret=x", "paths=/in", "idempotency.enabled=false")))
                .isEqualTo(401);
    }

    @Test
    void aSecretThatIsNotThereAnyMoreTellsTheSenderToComeBack(CapturedOutput output) {
        boolean[] started = new boolean[1];
        WebApplicationContextRunner runner = application("preset=github", "paths=/in")
                .withBean(WebhookSecrets.class, () -> sender -> {
                    if (started[0]) {
                        throw new IllegalStateException("the vault is closed");
                    }
                    started[0] = true;
                    return List.of(Secret.of("x"));
                });
        assertThat(status(runner)).isEqualTo(503);
        assertThat(output).contains("Deliveries of acme cannot be verified");
    }

    @Test
    void withoutSendersThereIsNoFilter() {
        TestApplications.web(Orders.class)
                .run(context -> assertThat(context).hasSingleBean(FilterRegistrationBean.class));
    }
}
