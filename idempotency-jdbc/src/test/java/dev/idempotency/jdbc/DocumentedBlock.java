// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A block of code in docs/jdbc.md, so that a test runs what its reader copies. */
final class DocumentedBlock {

    private DocumentedBlock() {}

    /** The only block of a language that contains a text, without its indentation. */
    static String of(String language, String text) {
        Pattern block = Pattern.compile("(?ms)^( *)```" + language + "\\n(.*?)^\\1```$");
        List<String> found = block.matcher(page())
                .results()
                .map(DocumentedBlock::content)
                .filter(content -> content.contains(text))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError("docs/jdbc.md has " + found.size() + " blocks of " + language + " with " + text);
        }
        return found.get(0);
    }

    private static String content(MatchResult block) {
        return block.group(2).replaceAll("(?m)^" + block.group(1), "");
    }

    private static String page() {
        try {
            return Files.readString(Path.of("").toAbsolutePath().getParent().resolve("docs/jdbc.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
