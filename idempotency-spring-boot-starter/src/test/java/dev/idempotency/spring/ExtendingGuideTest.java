// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/extending.md compile. */
class ExtendingGuideTest {

    private static final Pattern EXAMPLE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CLASS_NAME = Pattern.compile("\\nclass (\\w+) ");

    private static final class Source extends SimpleJavaFileObject {

        private final String code;

        Source(String name, String code) {
            super(URI.create("string:///" + name + Kind.SOURCE.extension), Kind.SOURCE);
            this.code = code;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }

    @Test
    void everyExampleCompiles(@TempDir Path classes) throws Exception {
        List<Source> sources = new ArrayList<>();
        Matcher examples = EXAMPLE.matcher(Files.readString(Path.of("../docs/extending.md")));
        while (examples.find()) {
            Matcher name = CLASS_NAME.matcher(examples.group(1));
            assertThat(name.find()).isTrue();
            sources.add(new Source(name.group(1), examples.group(1)));
        }
        assertThat(sources).hasSize(5);

        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, null, null)) {
            List<String> options = List.of(
                    "-proc:none", "-classpath", System.getProperty("java.class.path"), "-d", classes.toString());
            boolean compiled = compiler.getTask(null, files, diagnostics, options, null, sources)
                    .call();
            assertThat(diagnostics.getDiagnostics()).isEmpty();
            assertThat(compiled).isTrue();
        }
    }
}
