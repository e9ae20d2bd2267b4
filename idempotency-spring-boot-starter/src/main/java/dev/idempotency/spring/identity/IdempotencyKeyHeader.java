// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import dev.idempotency.spring.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The header that carries the idempotency key, under any of its names.
 *
 * <p>A value is either the bare key or a Structured Field string (RFC 9651, section 3.3.3) whose parameters are ignored;
 * both forms of one text are the same key. A key has 1 to {@value #MAX_LENGTH} visible ASCII characters, is case-sensitive
 * and holds no comma; {@code null} and {@code undefined} are what a client sends that has none, and no keys. See
 * draft-ietf-httpapi-idempotency-key-header, section 2.
 */
public final class IdempotencyKeyHeader implements IdempotencyKeyResolver {

    /** Most characters of a key. */
    public static final int MAX_LENGTH = 255;

    private final List<String> names;

    /**
     * A header.
     *
     * @param names every name that it may have, at least one
     */
    public IdempotencyKeyHeader(List<String> names) {
        this.names = List.copyOf(names);
    }

    @Override
    public String description() {
        return "the header " + names.get(0);
    }

    /** Every name that it may have. */
    public List<String> names() {
        return names;
    }

    /**
     * Reads the key.
     *
     * @return the key, or {@code null} if no header has one of the names
     * @throws InvalidRequestException if a header is repeated, headers of different names disagree, or a value is no key
     */
    @Override
    public @Nullable String resolve(HttpServletRequest request) throws InvalidRequestException {
        String key = null;
        for (String name : names) {
            Enumeration<String> lines = request.getHeaders(name);
            if (lines != null && lines.hasMoreElements()) {
                String value = parse(name, lines.nextElement());
                if (lines.hasMoreElements()) {
                    throw invalid("The header " + name + " must be given once.");
                }
                if (key != null && !key.equals(value)) {
                    throw invalid("The headers " + String.join(" and ", names) + " must not disagree.");
                }
                key = value;
            }
        }
        return key;
    }

    private static String parse(String name, String line) throws InvalidRequestException {
        String value = trim(line);
        String key = value.startsWith("\"") ? quoted(name, value) : bare(name, value);
        if (key.isEmpty() || key.equals("null") || key.equals("undefined")) {
            throw invalid("The header " + name + " must not be empty nor the text of a missing value.");
        }
        if (key.length() > MAX_LENGTH) {
            throw invalid("The header " + name + " must have at most " + MAX_LENGTH + " characters.");
        }
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == ',') {
                throw invalid("The header " + name + " must consist of visible ASCII characters other than comma.");
            }
        }
        return key;
    }

    /** Without the optional white space that may surround a field value (RFC 9110, section 5.5). */
    private static String trim(String line) {
        int start = 0;
        int end = line.length();
        while (start < end && isOptionalSpace(line.charAt(start))) {
            start++;
        }
        while (end > start && isOptionalSpace(line.charAt(end - 1))) {
            end--;
        }
        return line.substring(start, end);
    }

    private static boolean isOptionalSpace(char c) {
        return c == ' ' || c == '\t';
    }

    private static String bare(String name, String value) throws InvalidRequestException {
        boolean quotedOtherwise = value.startsWith("'") || value.endsWith("'");
        if (quotedOtherwise || value.indexOf('"') >= 0 || value.indexOf('\\') >= 0) {
            throw invalid("The header " + name + " must be a bare key or a string in double quotes.");
        }
        return value;
    }

    private static String quoted(String name, String value) throws InvalidRequestException {
        StringBuilder key = new StringBuilder(value.length());
        int end = string(value, 0, key);
        if (end < 0 || !parameters(value, end)) {
            throw invalid("The header " + name + " must be a bare key or one well-formed string in double quotes.");
        }
        return key.toString();
    }

    /** Reads a string from its opening quote; where it ends, or -1 if it is not well-formed. */
    private static int string(String value, int start, StringBuilder out) {
        for (int i = start + 1; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"') {
                return i + 1;
            }
            if (!isPrintable(c)) {
                return -1;
            }
            if (c == '\\') {
                i++;
                c = i < value.length() ? value.charAt(i) : ' ';
                if (c != '"' && c != '\\') {
                    return -1;
                }
            }
            out.append(c);
        }
        return -1;
    }

    /** Whether nothing but parameters (RFC 9651, section 3.1.2) follows. */
    private static boolean parameters(String value, int start) {
        int i = start;
        while (i < value.length()) {
            if (value.charAt(i) != ';') {
                return false;
            }
            i = skipSpaces(value, i + 1);
            int nameStart = i;
            while (i < value.length() && isParameterName(value.charAt(i), i == nameStart)) {
                i++;
            }
            if (i == nameStart) {
                return false;
            }
            if (i < value.length() && value.charAt(i) == '=') {
                i = parameterValue(value, i + 1);
                if (i < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private static int skipSpaces(String value, int start) {
        int i = start;
        while (i < value.length() && value.charAt(i) == ' ') {
            i++;
        }
        return i;
    }

    private static boolean isParameterName(char c, boolean first) {
        boolean starts = (c >= 'a' && c <= 'z') || c == '*';
        return starts || (!first && ((c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.'));
    }

    /** Where the value ends, or -1 if there is none. */
    private static int parameterValue(String value, int start) {
        if (start < value.length() && value.charAt(start) == '"') {
            return string(value, start, new StringBuilder());
        }
        int i = start;
        while (i < value.length() && isTokenLike(value.charAt(i))) {
            i++;
        }
        return i == start ? -1 : i;
    }

    private static boolean isTokenLike(char c) {
        return isPrintable(c) && c != ' ' && c != ';' && c != ',' && c != '"';
    }

    private static boolean isPrintable(char c) {
        return c >= ' ' && c < 0x7f;
    }

    private static InvalidRequestException invalid(String message) {
        return new InvalidRequestException(ProblemType.KEY_INVALID, message);
    }
}
