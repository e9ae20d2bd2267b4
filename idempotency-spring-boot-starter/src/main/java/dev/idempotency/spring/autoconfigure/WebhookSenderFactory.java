// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.json.JsonPointer;
import dev.idempotency.key.RecordKey;
import dev.idempotency.spring.autoconfigure.WebhookProperties.Hmac;
import dev.idempotency.spring.autoconfigure.WebhookProperties.Sender;
import dev.idempotency.spring.webhook.WebhookSecrets;
import dev.idempotency.spring.webhook.WebhookSender;
import dev.idempotency.spring.webhook.WebhookSenders;
import dev.idempotency.webhook.Acknowledgement;
import dev.idempotency.webhook.EventIdPlace;
import dev.idempotency.webhook.HmacSchemeBuilder;
import dev.idempotency.webhook.Preset;
import dev.idempotency.webhook.RetrySchedule;
import dev.idempotency.webhook.Secret;
import dev.idempotency.webhook.SignatureScheme;
import dev.idempotency.webhook.SignatureSchemes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Makes senders of their settings, and refuses to start over what could only fail later. */
final class WebhookSenderFactory {

    private static final String NO_EVENT_ID = "none";

    private final @Nullable WebhookSecrets secrets;
    private final PathPatternParser paths = new PathPatternParser();

    /**
     * @param secrets gives the secrets that the settings do not; may be missing
     */
    WebhookSenderFactory(@Nullable WebhookSecrets secrets) {
        this.secrets = secrets;
        // Another spelling must not go past the verification, whatever the application thinks of its case.
        paths.setCaseSensitive(false);
    }

    WebhookSenders senders(Map<String, Sender> settings) {
        List<WebhookSender> senders = new ArrayList<>();
        Set<String> taken = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        settings.forEach((name, sender) -> {
            senders.add(sender(name, sender));
            for (String path : sender.paths()) {
                rule(name, "paths").holds(taken.add(path), "must not be those of another sender", path);
            }
        });
        senders.sort(Comparator.comparing(sender -> sender.paths().get(0), PathPattern.SPECIFICITY_COMPARATOR));
        return new WebhookSenders(senders);
    }

    private static Rule rule(String name, String setting) {
        return Rule.property("webhook.senders." + name + "." + setting);
    }

    private static InvalidConfigurationException invalid(String name, String setting, RuntimeException cause) {
        return new InvalidConfigurationException(
                "idempotency.webhook.senders." + name + "." + setting + " " + cause.getMessage(), cause);
    }

    private WebhookSender sender(String name, Sender settings) {
        try {
            RecordKey.requireBizType(name);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException("idempotency.webhook.senders: " + e.getMessage(), e);
        }
        Preset preset = preset(name, settings);
        SignatureScheme scheme = scheme(name, settings, preset);
        return new WebhookSender(
                name,
                paths(name, settings.paths()),
                scheme,
                secrets(name, settings, scheme),
                eventIds(name, settings.eventId(), preset),
                changing(name, settings.ignore(), preset),
                schedule(name, settings, preset),
                acknowledgement(name, settings.acknowledgement()));
    }

    private static @Nullable Preset preset(String name, Sender settings) {
        String wanted = settings.preset();
        if (wanted == null) {
            rule(name, "preset")
                    .holds(settings.hmac() != null, "must be " + presets() + ", unless hmac says how it signs", null);
            return null;
        }
        rule(name, "hmac").holds(settings.hmac() == null, "must not be given besides a preset", "given");
        Preset preset = Preset.named(wanted).orElse(null);
        rule(name, "preset").holds(preset != null, "must be " + presets(), wanted);
        return preset;
    }

    private static String presets() {
        return Preset.all().stream().map(Preset::name).collect(Collectors.joining(", ", "one of ", ""));
    }

    private static SignatureScheme scheme(String name, Sender settings, @Nullable Preset preset) {
        SignatureScheme scheme;
        if (preset != null) {
            boolean signed = preset.signsUrl();
            String url = settings.url() == null ? "" : settings.url();
            rule(name, "url").holds(!signed || !url.isBlank(), "must be set, as the sender signs it", settings.url());
            scheme = preset.scheme().apply(url);
        } else {
            scheme = hmac(name, settings.hmac(), settings.url());
        }
        Duration tolerance = settings.tolerance();
        if (tolerance == null) {
            return scheme;
        }
        rule(name, "tolerance").holds(!tolerance.isNegative(), "must not be negative", tolerance);
        return scheme.withTolerance(tolerance);
    }

    private static SignatureScheme hmac(String name, @Nullable Hmac hmac, @Nullable String url) {
        String header = hmac == null ? null : hmac.signatureHeader();
        if (hmac == null || header == null || header.isBlank()) {
            throw new InvalidConfigurationException(
                    "idempotency.webhook.senders." + name + ".hmac.signature-header must be the name of a header");
        }
        try {
            HmacSchemeBuilder builder = SignatureSchemes.hmac(header)
                    .algorithm(hmac.algorithm())
                    .encoding(hmac.encoding())
                    .prefix(hmac.prefix())
                    .separator(hmac.separator())
                    .signedContent(hmac.signedContent())
                    .secretEncoding(hmac.secretEncoding())
                    .secretPrefix(hmac.secretPrefix());
            ifGiven(url, builder::url);
            ifGiven(hmac.idHeader(), builder::idHeader);
            ifGiven(hmac.timestampHeader(), builder::timestampHeader);
            ifGiven(hmac.timestampPrefix(), builder::timestampPrefix);
            if (hmac.milliseconds()) {
                builder.milliseconds();
            }
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw invalid(name, "hmac:", e);
        }
    }

    private static void ifGiven(@Nullable String value, Consumer<String> setting) {
        if (value != null) {
            setting.accept(value);
        }
    }

    private List<PathPattern> paths(String name, List<String> patterns) {
        rule(name, "paths").holds(!patterns.isEmpty(), "must name at least one path", patterns);
        return each(name, "paths", patterns, pattern -> {
            if (!pattern.startsWith("/")) {
                throw new IllegalArgumentException("must start with a slash, but is " + pattern);
            }
            return paths.parse(pattern);
        });
    }

    private static <T> List<T> each(String name, String setting, List<String> texts, Function<String, T> parser) {
        try {
            return texts.stream().map(parser).toList();
        } catch (IllegalArgumentException e) {
            throw invalid(name, setting, e);
        }
    }

    private Supplier<Collection<Secret>> secrets(String name, Sender settings, SignatureScheme scheme) {
        List<String> texts = Stream.concat(Stream.ofNullable(settings.secret()), settings.secrets().stream())
                .filter(text -> !text.isBlank())
                .toList();
        if (texts.isEmpty()) {
            return fromBean(name, scheme);
        }
        List<Secret> given = each(name, "secret", texts, text -> usable(Secret.of(text), scheme));
        return () -> given;
    }

    private static Secret usable(Secret secret, SignatureScheme scheme) {
        scheme.requireUsable(secret);
        return secret;
    }

    private Supplier<Collection<Secret>> fromBean(String name, SignatureScheme scheme) {
        WebhookSecrets bean = secrets;
        if (bean == null) {
            throw new InvalidConfigurationException("idempotency.webhook.senders." + name
                    + ".secret must be set, unless a WebhookSecrets bean gives one");
        }
        Collection<Secret> now;
        try {
            now = bean.of(name);
            now.forEach(scheme::requireUsable);
        } catch (RuntimeException e) {
            throw new InvalidConfigurationException(
                    "the WebhookSecrets bean failed to give a usable secret of " + name + ": " + e.getMessage(), e);
        }
        if (now.isEmpty()) {
            throw new InvalidConfigurationException(
                    "the WebhookSecrets bean must give at least one secret of " + name + ", but gives none");
        }
        return () -> bean.of(name);
    }

    private static List<EventIdPlace> eventIds(String name, List<String> places, @Nullable Preset preset) {
        if (places.size() == 1 && places.get(0).toLowerCase(Locale.ROOT).equals(NO_EVENT_ID)) {
            return List.of();
        }
        if (places.isEmpty() && preset != null) {
            return preset.eventIds();
        }
        rule(name, "event-id").holds(!places.isEmpty(), "must say where the event's id is, or be none", places);
        return each(name, "event-id", places, EventIdPlace::parse);
    }

    private static List<JsonPointer> changing(String name, List<String> ignore, @Nullable Preset preset) {
        List<String> all = Stream.concat(preset == null ? Stream.of() : preset.changing().stream(), ignore.stream())
                .toList();
        return each(name, "ignore:", all, JsonPointer::parse);
    }

    private static @Nullable RetrySchedule schedule(String name, Sender settings, @Nullable Preset preset) {
        List<Duration> delays = settings.retrySchedule();
        Duration window = settings.retryWindow();
        if (delays.isEmpty() && window == null) {
            return preset == null ? null : preset.schedule();
        }
        Duration known = preset == null ? null : preset.schedule().patience();
        try {
            Duration sum = delays.stream().reduce(Duration.ZERO, Duration::plus);
            return new RetrySchedule(delays, window == null ? sum : window, known);
        } catch (IllegalArgumentException e) {
            throw invalid(name, delays.isEmpty() ? "retry-window" : "retry-schedule", e);
        }
    }

    private static Acknowledgement acknowledgement(String name, WebhookProperties.Repeats settings) {
        try {
            return new Acknowledgement(settings.contentType(), settings.body(), settings.runningStatus());
        } catch (IllegalArgumentException e) {
            throw invalid(name, "acknowledgement:", e);
        }
    }
}
