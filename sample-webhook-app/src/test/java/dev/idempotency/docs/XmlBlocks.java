// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** XML is dependencies: on a module of this project, in its version. */
final class XmlBlocks {

    private XmlBlocks() {}

    static void check(Block block) throws Exception {
        String version = text(
                parse(Files.newInputStream(Page.PROJECT.resolve("pom.xml"))).getDocumentElement(), "version");
        String wrapped = "<dependencies>" + block.code() + "</dependencies>";
        Document document = parse(new ByteArrayInputStream(wrapped.getBytes(StandardCharsets.UTF_8)));
        List<Element> dependencies = elements(document.getDocumentElement(), "dependency");

        assertThat(dependencies).as(block.toString()).isNotEmpty().allSatisfy(dependency -> {
            assertThat(text(dependency, "groupId")).isEqualTo("dev.idempotency");
            assertThat(new File(Page.PROJECT.toFile(), text(dependency, "artifactId") + "/pom.xml"))
                    .exists();
            assertThat(text(dependency, "version")).isEqualTo(version);
        });
    }

    private static Document parse(InputStream content) throws Exception {
        try (content) {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(content);
        }
    }

    private static String text(Element parent, String name) {
        return elements(parent, name).get(0).getTextContent().strip();
    }

    private static List<Element> elements(Element parent, String name) {
        NodeList children = parent.getChildNodes();
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < children.getLength(); i++) {
            if (children.item(i) instanceof Element element
                    && element.getTagName().equals(name)) {
                elements.add(element);
            }
        }
        return elements;
    }
}
