// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.spring.autoconfigure.IdempotencyProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The settings that the documentation names are those that there are. */
class SettingsTest {

    private static final Pattern NAMED =
            Pattern.compile("(?<![\\w.])idempotency((?:\\.(?:[a-z][a-z-]*|<name>)(?:\\[n])?)++)");
    private static final Pattern SECTION = Pattern.compile("Under .*");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern LITERAL = Pattern.compile("\"idempotency((?:\\.[a-z-]+)+)\"");

    private final Set<String> settings = settings();

    @Test
    void everySettingIsInTheTableOfSettingsAndNoOther() throws IOException {
        assertThat(inTheTable()).containsExactlyInAnyOrderElementsOf(settings);
    }

    @Test
    void everyNameInThePagesIsOneOfASettingOrAMeter() throws IOException {
        Set<String> others = namesInTheCode();
        List<String> unknown = new ArrayList<>();
        for (Page page : Page.all()) {
            String text = String.join("\n", page.prose());
            for (MatchResult name : NAMED.matcher(text).results().toList()) {
                String setting = name.group(1).substring(1);
                if (!others.contains(setting)
                        && settings.stream()
                                .map(known -> known.replace("[n]", "") + ".")
                                .noneMatch(known -> known.startsWith(setting.replace("[n]", "") + "."))) {
                    unknown.add(page.name() + ": " + name.group());
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void theMetadataHaveThemAll() {
        assertThat(Metadata.ofTheStarter().stream().map(name -> name.substring("idempotency.".length())))
                .allSatisfy(name -> assertThat(settings)
                        .anyMatch(setting -> setting.equals(name)
                                || setting.startsWith(name + ".<name>.")
                                || setting.startsWith(name + "[n].")));
    }

    private static Set<String> inTheTable() throws IOException {
        Set<String> names = new TreeSet<>();
        List<String> prefixes = List.of("");
        for (String line : Files.readAllLines(Page.PROJECT.resolve("docs/configuration.md"))) {
            if (SECTION.matcher(line).matches()) {
                prefixes = codes(line.replaceFirst("[;:].*", "")).stream()
                        .map(code -> code + ".")
                        .toList();
            } else if (line.startsWith("| `")) {
                String last = "";
                for (String code : codes(line.substring(0, line.indexOf('|', 2)))) {
                    last = code.startsWith(".") ? last.substring(0, last.lastIndexOf('.')) + code : code;
                    for (String prefix : prefixes) {
                        names.add(prefix + last);
                    }
                }
            }
        }
        return names;
    }

    private static List<String> codes(String text) {
        return CODE.matcher(text).results().map(code -> code.group(1)).toList();
    }

    /** Meters, observations and the like have dotted names as well: as literals in the code. */
    private static Set<String> namesInTheCode() throws IOException {
        try (Stream<Path> files = Files.walk(Page.PROJECT)) {
            return files.filter(file -> file.toString().matches(".*/src/main/java/.*\\.java"))
                    .flatMap(SettingsTest::literals)
                    .collect(Collectors.toSet());
        }
    }

    private static Stream<String> literals(Path source) {
        try {
            Matcher literal = LITERAL.matcher(Files.readString(source));
            return literal.results().map(found -> found.group(1).substring(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> settings() {
        Set<String> names = new TreeSet<>();
        collect("", IdempotencyProperties.class, names);
        return names;
    }

    private static void collect(String prefix, Type type, Set<String> names) {
        for (RecordComponent component : ((Class<?>) type).getRecordComponents()) {
            String name =
                    prefix + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            Type of = component.getGenericType();
            if (of instanceof ParameterizedType generic) {
                Type element = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
                boolean map = generic.getRawType() == Map.class;
                add(name, name + (map ? ".<name>" : "[n]"), element, names);
            } else {
                add(name, name, of, names);
            }
        }
    }

    private static void add(String name, String nested, Type type, Set<String> names) {
        if (type instanceof Class<?> record && record.isRecord()) {
            collect(nested + ".", type, names);
        } else {
            names.add(name);
        }
    }
}
