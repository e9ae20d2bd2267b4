// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation.
 *
 * @param name its path within the project
 * @param blocks its code blocks
 * @param prose its lines outside of them
 */
record Page(String name, List<Block> blocks, List<String> prose) {

    static final Path PROJECT = Path.of("").toAbsolutePath().getParent();

    private static final Pattern FENCE = Pattern.compile("(\\s*)```(.*)");
    private static final Pattern TESTER = Pattern.compile("\\s*<!-- tested by (\\w+) -->");
    private static final Pattern HEADING = Pattern.compile("#{1,6} (.*)");

    /** All of them. */
    static List<Page> all() {
        try (Stream<Path> files = Files.walk(PROJECT.resolve("docs"))) {
            Stream<Path> front =
                    Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md").map(PROJECT::resolve);
            return Stream.concat(
                            front,
                            files.filter(file -> file.toString().endsWith(".md"))
                                    .sorted())
                    .map(Page::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every block that the rule of the kind checks. */
    static Stream<Block> blocksOf(String kind) {
        return all().stream().flatMap(page -> page.blocks().stream()).filter(block -> block.follows(kind));
    }

    static Page read(Path file) {
        String name = PROJECT.relativize(file).toString().replace('\\', '/');
        List<Block> blocks = new ArrayList<>();
        List<String> prose = new ArrayList<>();
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String before = "";
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (!fence.matches()) {
                prose.add(lines.get(i));
                before = lines.get(i).isBlank() ? before : lines.get(i);
                continue;
            }
            int start = i + 1;
            String end = fence.group(1) + "```";
            StringBuilder code = new StringBuilder();
            for (i++; !lines.get(i).stripTrailing().equals(end); i++) {
                String line = lines.get(i);
                code.append(
                                line.startsWith(fence.group(1))
                                        ? line.substring(fence.group(1).length())
                                        : line)
                        .append('\n');
            }
            Matcher tester = TESTER.matcher(before);
            blocks.add(new Block(
                    name, start, fence.group(2).strip(), code.toString(), tester.matches() ? tester.group(1) : ""));
            before = "";
        }
        return new Page(name, blocks, prose);
    }

    /** What a link may name behind {@code #}. */
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String line : prose) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = heading.group(1)
                        .strip()
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-');
                int earlier = seen.merge(anchor, 1, Integer::sum) - 1;
                anchors.add(earlier == 0 ? anchor : anchor + "-" + earlier);
            }
        }
        return anchors;
    }
}
