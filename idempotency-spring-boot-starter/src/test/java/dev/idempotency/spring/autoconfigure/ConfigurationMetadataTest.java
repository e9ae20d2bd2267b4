// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Descriptions are what people see while they type; the annotation processor takes them from the records' Javadoc. */
class ConfigurationMetadataTest {

    /** As Spring Boot's own checkstyle has it. */
    private static final Pattern BAD_START =
            Pattern.compile("^(The|A|An|If|This|That|Should|Specifies|Indicates)\\b.*");

    private static final String PACKAGE = "dev.idempotency.spring.autoconfigure";

    private static JsonNode metadata() throws Exception {
        ClassPathResource resource = new ClassPathResource("META-INF/spring-configuration-metadata.json");
        return JsonMapper.builder().build().readTree(resource.getContentAsByteArray());
    }

    private static Map<String, JsonNode> properties() throws Exception {
        Map<String, JsonNode> properties = new TreeMap<>();
        metadata()
                .get("properties")
                .forEach(property -> properties.put(property.get("name").asString(), property));
        return properties;
    }

    private static void assertDescription(String name, String type, String description) {
        assertThat(description).as(name).isNotBlank();
        assertThat(description).as(name).endsWith(".").doesNotContain("{@").doesNotContain("\n");
        assertThat(Character.isUpperCase(description.charAt(0)) || description.startsWith("JSON"))
                .as(name + " starts with a capital: " + description)
                .isTrue();
        assertThat(description).as(name).doesNotMatch(BAD_START);
        if (type.equals("java.lang.Boolean")) {
            assertThat(description).as(name).startsWith("Whether ");
        }
        assertThat(type).as(name + " is a duration or size of its own type").doesNotMatch("(java.lang.)?[Ll]ong");
    }

    @TestFactory
    Stream<DynamicTest> everyPropertyIsDescribed() throws Exception {
        return properties().values().stream()
                .map(property -> DynamicTest.dynamicTest(
                        property.get("name").asString(),
                        () -> assertDescription(
                                property.get("name").asString(),
                                property.get("type").asString(),
                                property.path("description").asString(""))));
    }

    @Test
    void everySettingThatIsNotInACollectionIsInTheMetadata() throws Exception {
        List<String> names = new ArrayList<>();
        addNames("idempotency", IdempotencyProperties.class, names);
        assertThat(properties().keySet()).containsAll(names);
        assertThat(names).hasSizeGreaterThan(20).contains("idempotency.defaults.breaker.failures");
    }

    private static void addNames(String prefix, Class<?> type, List<String> names) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + kebab(component.getName());
            if (component.getType().isRecord()) {
                addNames(name, component.getType(), names);
            } else {
                names.add(name);
            }
        }
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
    }

    /** The metadata has no names below a map's or list's values; their Javadoc is the reference all the same. */
    @Test
    void settingsInCollectionsAreDescribedInTheSource() throws Exception {
        for (Class<?> type : List.of(
                BizTypeProperties.class,
                BizTypeProperties.Breaker.class,
                BizTypeProperties.Fingerprint.class,
                RouteBreakerProperties.class,
                EncryptionProperties.Key.class,
                IdempotencyProperties.Route.class,
                WebhookProperties.Sender.class,
                WebhookProperties.Hmac.class,
                WebhookProperties.Repeats.class)) {
            Class<?> outer = type.getNestHost();
            String source = Files.readString(
                    Path.of("src/main/java", PACKAGE.replace('.', '/'), outer.getSimpleName() + ".java"));
            String javadoc = javadocOf(type.getSimpleName(), source);
            for (RecordComponent component : type.getRecordComponents()) {
                Matcher param = Pattern.compile("@param " + component.getName() + " (.*?)(?=@param|$)", Pattern.DOTALL)
                        .matcher(javadoc);
                assertThat(param.find())
                        .as(type.getSimpleName() + "." + component.getName())
                        .isTrue();
                assertDescription(
                        component.getName(),
                        component.getType().getName(),
                        param.group(1).replaceAll("\\s+", " ").strip());
            }
        }
    }

    private static String javadocOf(String record, String source) {
        int declaration = source.indexOf("public record " + record + "(");
        int start = source.lastIndexOf("/**", declaration);
        return source.substring(start, source.lastIndexOf("*/", declaration)).replaceAll("\n\\s*\\* ?", "\n");
    }
}
