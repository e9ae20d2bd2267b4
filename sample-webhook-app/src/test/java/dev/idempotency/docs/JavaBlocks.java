// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Java compiles: as a file if it names its package, else among the members of the {@link ReadersApplication}, else among the
 * statements of one of its methods. Spring's annotations and the annotation itself need no import in a block.
 */
final class JavaBlocks {

    private static final String IMPORTS = """
            import dev.idempotency.*;
            import java.time.*;
            import java.util.*;
            import org.springframework.context.annotation.*;
            import org.springframework.http.*;
            import org.springframework.stereotype.*;
            import org.springframework.transaction.annotation.*;
            import org.springframework.web.bind.annotation.*;
            """;

    private static final Pattern CLASS = Pattern.compile("\\bclass (\\w+)");

    private JavaBlocks() {}

    static void check(Block block) {
        List<List<String>> refusals = new ArrayList<>();
        for (Source form : forms(block.code())) {
            List<String> errors = errors(form);
            if (errors.isEmpty()) {
                return;
            }
            refusals.add(errors);
        }
        throw new AssertionError(block + " does not compile: " + refusals);
    }

    private static List<Source> forms(String code) {
        if (code.startsWith("package ")) {
            Matcher name = CLASS.matcher(code);
            return List.of(new Source(name.find() ? name.group(1) : "", code));
        }
        Map<Boolean, String> lines = code.lines()
                .collect(Collectors.partitioningBy(line -> line.startsWith("import "), Collectors.joining("\n")));
        String opening = "package dev.idempotency.docs;\n" + IMPORTS + lines.get(true)
                + "\nabstract class Example extends ReadersApplication {\n";
        return List.of(
                new Source("Example", opening + lines.get(false) + "\n}"),
                new Source("Example", opening + "void example() throws Exception {\n" + lines.get(false) + "\n}}"));
    }

    private static List<String> errors(Source source) {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options =
                List.of("-proc:none", "-parameters", "-classpath", System.getProperty("java.class.path"));
        JavacTask task = (JavacTask)
                ToolProvider.getSystemJavaCompiler().getTask(null, null, found, options, null, List.of(source));
        try {
            task.analyze();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(error -> source.code.lines().toList().get((int) error.getLineNumber() - 1) + " // "
                        + error.getMessage(Locale.ROOT))
                .toList();
    }

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
}
