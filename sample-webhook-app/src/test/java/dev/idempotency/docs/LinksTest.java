// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every link within the project leads to a file that is there, and to a heading of it. */
class LinksTest {

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

    @Test
    void everyLinkLeadsSomewhere() {
        List<String> dead = new ArrayList<>();
        int links = 0;
        for (Page page : Page.all()) {
            for (MatchResult link :
                    LINK.matcher(String.join("\n", page.prose())).results().toList()) {
                String target = link.group(1);
                if (!target.matches("[a-z]+:.*")) {
                    links++;
                    if (!resolves(page, target)) {
                        dead.add(page.name() + ": " + target);
                    }
                }
            }
        }

        assertThat(dead).isEmpty();
        assertThat(links).isGreaterThan(100);
    }

    @Test
    void theIndexNamesEveryPage() {
        String index = String.join(
                "\n", Page.read(Page.PROJECT.resolve("docs/README.md")).prose());

        assertThat(Page.all())
                .filteredOn(page ->
                        page.name().matches("docs/[^/]+\\.md") && !page.name().endsWith("README.md"))
                .allSatisfy(
                        page -> assertThat(index).contains("](" + page.name().substring("docs/".length()) + ")"));
    }

    private static boolean resolves(Page page, String target) {
        String[] parts = target.split("#", 2);
        Path from = Page.PROJECT.resolve(page.name());
        Path file = parts[0].isEmpty() ? from : from.getParent().resolve(parts[0]);
        return Files.exists(file)
                && (parts.length == 1 || Page.read(file.normalize()).anchors().contains(parts[1]));
    }
}
