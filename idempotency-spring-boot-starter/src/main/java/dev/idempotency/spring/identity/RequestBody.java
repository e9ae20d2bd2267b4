// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import dev.idempotency.spring.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads a request body into one array, never more than a bound. */
final class RequestBody {

    private static final int FIRST_CHUNK = 1024;
    private static final int FIRST_DECLARED_CHUNK = 16 * 1024;
    private static final byte[] NONE = new byte[0];

    private RequestBody() {}

    /**
     * Reads to the end. The declared length is a hint and no more: a filter may have inflated the body, and memory is
     * taken for what has come, not for what is announced.
     *
     * @param maxBytes most bytes to accept; a longer body is given up as soon as it is known to be longer
     * @throws InvalidRequestException if the body is longer than that
     */
    static byte[] read(HttpServletRequest request, int maxBytes) throws IOException, InvalidRequestException {
        long declared = request.getContentLengthLong();
        if (declared > maxBytes) {
            throw tooLarge(maxBytes);
        }
        if (declared == 0) {
            return NONE;
        }
        InputStream in = request.getInputStream();
        long first = declared < 0 ? FIRST_CHUNK : Math.min(declared, FIRST_DECLARED_CHUNK);
        byte[] buffer = new byte[(int) Math.min(first, maxBytes)];
        int size = 0;
        for (int read = 0; read >= 0; read = in.read(buffer, size, buffer.length - size)) {
            size += read;
            if (size == buffer.length) {
                int more = in.read();
                if (more < 0) {
                    return buffer;
                }
                if (size == maxBytes) {
                    throw tooLarge(maxBytes);
                }
                buffer = Arrays.copyOf(buffer, (int) Math.min(2L * size, size < declared ? declared : maxBytes));
                buffer[size] = (byte) more;
                size++;
            }
        }
        return Arrays.copyOf(buffer, size);
    }

    static InvalidRequestException tooLarge(int maxBytes) {
        return new InvalidRequestException(
                ProblemType.BODY_TOO_LARGE, "The request body must have at most " + maxBytes + " bytes.");
    }
}
