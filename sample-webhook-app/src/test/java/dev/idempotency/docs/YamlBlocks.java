// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

/** YAML is settings: an application starts with them, and those of others are in their metadata. */
final class YamlBlocks {

    private static final Pattern BIZ_TYPE = Pattern.compile("^idempotency\\.biz-types\\.([^.]+)\\.");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(\\w+)}");
    private static final String SECRET = Base64.getEncoder().encodeToString(new byte[32]);

    private YamlBlocks() {}

    static void check(Block block) {
        EnumerablePropertySource<?> settings = load(block);
        assertThat(settings.getPropertyNames())
                .as(block.toString())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(name.startsWith("idempotency.") || Metadata.isKnown(name))
                        .as("%s is a setting of the application", name)
                        .isTrue());
        starter()
                .withInitializer(context -> {
                    context.getEnvironment().getPropertySources().addFirst(settings);
                    context.getEnvironment().getPropertySources().addLast(surroundings(block, settings));
                })
                .run(context -> assertThat(context).as(block.toString()).hasNotFailed());
    }

    private static EnumerablePropertySource<?> load(Block block) {
        try {
            List<PropertySource<?>> documents = new YamlPropertySourceLoader()
                    .load(block.toString(), new ByteArrayResource(block.code().getBytes(StandardCharsets.UTF_8)));
            assertThat(documents).as(block.toString()).hasSize(1);
            return (EnumerablePropertySource<?>) documents.get(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An endpoint for every bizType, a value for every variable, and no setting that does not fit. */
    private static PropertySource<?> surroundings(Block block, EnumerablePropertySource<?> settings) {
        Map<String, Object> around = new HashMap<>();
        around.put("spring.application.name", "shop");
        around.put("idempotency.checks", "strict");
        List<String> bizTypes = Arrays.stream(settings.getPropertyNames())
                .map(BIZ_TYPE::matcher)
                .filter(Matcher::find)
                .map(bizType -> bizType.group(1))
                .distinct()
                .toList();
        for (int i = 0; i < bizTypes.size(); i++) {
            around.put("idempotency.routes[" + i + "].path", "/" + i);
            around.put("idempotency.routes[" + i + "].biz-type", bizTypes.get(i));
        }
        PLACEHOLDER.matcher(block.code()).results().forEach(found -> around.put(found.group(1), SECRET));
        return new MapPropertySource("surroundings", around);
    }

    private static WebApplicationContextRunner starter() {
        Class<?>[] ours =
                ImportCandidates.load(AutoConfiguration.class, YamlBlocks.class.getClassLoader())
                        .getCandidates()
                        .stream()
                        .filter(name -> name.startsWith("dev.idempotency."))
                        .map(YamlBlocks::load)
                        .toArray(Class<?>[]::new);
        DataSource database = new EmbeddedDatabaseBuilder()
                .generateUniqueName(true)
                .setType(EmbeddedDatabaseType.H2)
                .build();
        return new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ours))
                .withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
                .withBean(DataSource.class, () -> database)
                .withBean(DataSourceTransactionManager.class, () -> new DataSourceTransactionManager(database));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
