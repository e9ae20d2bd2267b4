// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the metadata on the class path say of settings: what an IDE shows. */
final class Metadata {

    /** The settings' types by their names. */
    private static final Map<String, String> TYPES = read();

    private Metadata() {}

    static Set<String> ofTheStarter() {
        return TYPES.keySet().stream()
                .filter(name -> name.startsWith("idempotency."))
                .collect(Collectors.toSet());
    }

    /** Whether there is a setting of this name, or a map that it is an entry of. */
    static boolean isKnown(String name) {
        String canonical = name.replaceAll("\\[\\d+]", "");
        return TYPES.containsKey(canonical)
                || TYPES.entrySet().stream()
                        .anyMatch(type -> type.getValue().startsWith("java.util.Map")
                                && canonical.startsWith(type.getKey() + "."));
    }

    private static Map<String, String> read() {
        Map<String, String> types = new HashMap<>();
        try {
            for (String file :
                    new String[] {"spring-configuration-metadata", "additional-spring-configuration-metadata"}) {
                for (URL url :
                        Collections.list(Metadata.class.getClassLoader().getResources("META-INF/" + file + ".json"))) {
                    try (InputStream content = url.openStream()) {
                        for (JsonNode property :
                                JsonMapper.shared().readTree(content).path("properties")) {
                            types.put(
                                    property.get("name").asString(),
                                    property.path("type").asString(""));
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return types;
    }
}
