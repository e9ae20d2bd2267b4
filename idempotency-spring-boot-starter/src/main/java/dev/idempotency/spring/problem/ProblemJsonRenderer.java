// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** {@code application/problem+json} as of RFC 9457, in UTF-8. Its texts are ours alone, so no JSON library is needed. */
public final class ProblemJsonRenderer implements ProblemRenderer {

    /**
     * The problem type that is meant by {@code violated-policies} (draft-ietf-httpapi-ratelimit-headers, section 5.2), as a
     * further type of the answer (RFC 6903, section 6).
     */
    private static final String REDUCED_CAPACITY =
            "<https://iana.org/assignments/http-problem-types#temporary-reduced-capacity>; rel=\"type\"";

    private final String baseUri;
    private final @Nullable String documentationUrl;

    /**
     * A renderer.
     *
     * @param baseUri what the problem types start with, such as {@code urn:idempotency:}
     * @param documentationUrl where the sender can read about them, linked as {@code describedby}; may be missing
     */
    public ProblemJsonRenderer(String baseUri, @Nullable String documentationUrl) {
        this.baseUri = baseUri;
        this.documentationUrl = documentationUrl;
    }

    @Override
    public void render(Problem problem, HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setStatus(problem.status());
        response.setContentType("application/problem+json");
        response.setHeader("Cache-Control", "no-store");
        if (!problem.violatedPolicies().isEmpty()) {
            response.addHeader("Link", REDUCED_CAPACITY);
        }
        if (documentationUrl != null) {
            response.addHeader("Link", "<" + documentationUrl + ">; rel=\"describedby\"");
        }
        Long retryAfter = problem.retryAfterSeconds();
        if (retryAfter != null) {
            response.setHeader("Retry-After", retryAfter.toString());
        }
        byte[] body = body(problem, retryAfter).getBytes(StandardCharsets.UTF_8);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private String body(Problem problem, @Nullable Long retryAfter) {
        StringBuilder json = new StringBuilder(200);
        json.append("{\"type\":");
        quote(json, baseUri + problem.type().code());
        json.append(",\"title\":");
        quote(json, problem.type().title());
        json.append(",\"status\":").append(problem.status());
        json.append(",\"detail\":");
        quote(json, problem.detail());
        if (retryAfter != null) {
            json.append(",\"retryAfterSeconds\":").append(retryAfter);
        }
        if (!problem.violatedPolicies().isEmpty()) {
            json.append(",\"violated-policies\":[");
            for (String policy : problem.violatedPolicies()) {
                quote(json, policy);
                json.append(',');
            }
            json.setCharAt(json.length() - 1, ']');
        }
        return json.append('}').toString();
    }

    private static void quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(' ');
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
