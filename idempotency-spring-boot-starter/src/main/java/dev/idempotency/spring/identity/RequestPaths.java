// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.Element;
import org.springframework.http.server.PathContainer.PathSegment;

/** One spelling for every path: decoded, without path parameters, without a trailing slash. */
final class RequestPaths {

    private RequestPaths() {}

    /** The decoded segments; each keeps whatever characters it has, so a decoded slash separates nothing. */
    static List<String> segments(PathContainer path) {
        return path.elements().stream()
                .filter(PathSegment.class::isInstance)
                .map(element -> ((PathSegment) element).valueToMatch())
                .toList();
    }

    /** The segments as one text in which their bounds stay visible. */
    static String join(List<String> segments, boolean caseSensitive) {
        StringBuilder joined = new StringBuilder();
        for (String segment : segments) {
            String text = caseSensitive ? segment : segment.toLowerCase(Locale.ROOT);
            joined.append('/').append(text.length()).append(':').append(text);
        }
        return joined.toString();
    }

    /** The path parameters by segment, as one text; empty if there are none. A session id is none. */
    static String parameters(PathContainer path) {
        StringBuilder text = new StringBuilder();
        int segment = 0;
        for (Element element : path.elements()) {
            if (element instanceof PathSegment withParameters) {
                segment++;
                for (Map.Entry<String, List<String>> parameter :
                        withParameters.parameters().entrySet()) {
                    if (!parameter.getKey().equalsIgnoreCase("jsessionid")) {
                        text.append(segment).append(join(List.of(parameter.getKey()), true));
                        text.append(join(parameter.getValue(), true)).append(';');
                    }
                }
            }
        }
        return text.toString();
    }
}
