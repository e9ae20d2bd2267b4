// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/** The blocks of docs/getting-started.md are an application, its settings, and what is sent to it. */
class GettingStartedTest {

    private final Page page = Page.read(Page.PROJECT.resolve("docs/getting-started.md"));

    @Test
    void theFirstTenMinutesAreAsTheyAreTold(@TempDir Path directory) throws Exception {
        Path source = Files.createDirectories(directory.resolve("shop")).resolve("Shop.java");
        Files.writeString(source, block("java").code());
        compile(source, directory);
        Path settings =
                Files.writeString(directory.resolve("shop.yml"), block("yaml").code());

        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            SpringApplication shop =
                    new SpringApplication(new DefaultResourceLoader(loader), loader.loadClass("shop.Shop"));
            // The memory is what a newcomer's application has; the class path of this test has every store.
            try (ConfigurableApplicationContext context = shop.run(
                    "--server.port=0", "--spring.config.location=" + settings.toUri(), "--idempotency.store=memory")) {
                int port =
                        ((WebServerApplicationContext) context).getWebServer().getPort();
                CommandsTest.check(block("bash"), directory, port);
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void compile(Path source, Path classes) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none",
                    "-parameters",
                    "-classpath",
                    System.getProperty("java.class.path"),
                    "-d",
                    classes.toString());
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(source))
                            .call())
                    .isTrue();
        }
    }

    private Block block(String kind) {
        return page.blocks().stream()
                .filter(block -> block.kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }
}
