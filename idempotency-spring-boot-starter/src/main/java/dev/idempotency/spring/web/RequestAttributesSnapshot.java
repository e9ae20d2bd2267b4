// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** The attributes of a request before a handler was looked up, to be put back afterwards. */
final class RequestAttributesSnapshot {

    private final HttpServletRequest request;
    private final Map<String, Object> before;

    RequestAttributesSnapshot(HttpServletRequest request) {
        this.request = request;
        this.before = attributes(request);
    }

    private static Map<String, Object> attributes(HttpServletRequest request) {
        Map<String, Object> attributes = new HashMap<>();
        for (String name : Collections.list(request.getAttributeNames())) {
            attributes.put(name, request.getAttribute(name));
        }
        return attributes;
    }

    void restore() {
        attributes(request).keySet().stream()
                .filter(name -> !before.containsKey(name))
                .forEach(request::removeAttribute);
        before.forEach(request::setAttribute);
    }
}
