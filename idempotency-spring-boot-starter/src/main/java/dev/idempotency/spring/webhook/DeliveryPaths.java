// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.util.StringUtils;

/**
 * Every path that a request may be taken for, by the container, by Spring MVC, or by whoever decodes it once more: what is
 * verified must be no less than what reaches a handler.
 */
final class DeliveryPaths {

    private static final PathContainer.Options DECODED = PathContainer.Options.create('/', false);

    private DeliveryPaths() {}

    static List<PathContainer> of(HttpServletRequest request) {
        List<PathContainer> paths = new ArrayList<>(3);
        String pathInfo = request.getPathInfo();
        String containers = pathInfo == null ? request.getServletPath() : request.getServletPath() + pathInfo;
        paths.add(plain(containers));
        String uri = request.getRequestURI();
        if (isPlain(uri) && uri.equals(request.getContextPath() + containers)) {
            return paths;
        }
        try {
            paths.add(RequestPath.parse(uri, request.getContextPath()).pathWithinApplication());
            String decoded =
                    StringUtils.uriDecode(uri.substring(request.getContextPath().length()), StandardCharsets.UTF_8);
            paths.add(plain(decoded));
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
            // A spelling that nobody can decode, and so no handler takes.
            return paths;
        }
        return paths;
    }

    private static boolean isPlain(String uri) {
        return uri.indexOf('%') < 0 && uri.indexOf(';') < 0 && !uri.contains("//") && !uri.contains("/.");
    }

    /** Without path parameters, empty segments, dot segments and a trailing slash. */
    private static PathContainer plain(String path) {
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : path.split("/", -1)) {
            int parameters = segment.indexOf(';');
            String name = parameters < 0 ? segment : segment.substring(0, parameters);
            if (name.equals("..")) {
                segments.pollLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                segments.addLast(name);
            }
        }
        return PathContainer.parsePath("/" + String.join("/", segments), DECODED);
    }
}
