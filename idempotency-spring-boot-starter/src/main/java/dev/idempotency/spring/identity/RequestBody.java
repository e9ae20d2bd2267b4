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
    private static final byte[] NONE = new byte[0];

    private RequestBody() {}

    /**
     * Reads to the end.
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
        return declared > 0 ? readExactly(in, (int) declared) : readToEnd(in, maxBytes);
    }

    private static byte[] readExactly(InputStream in, int length) throws IOException {
        byte[] body = new byte[length];
        int read = in.readNBytes(body, 0, length);
        return read == length ? body : Arrays.copyOf(body, read);
    }

    private static byte[] readToEnd(InputStream in, int maxBytes) throws IOException, InvalidRequestException {
        byte[] buffer = new byte[Math.min(FIRST_CHUNK, maxBytes + 1)];
        int size = 0;
        for (int read = 0; read >= 0; read = in.read(buffer, size, buffer.length - size)) {
            size += read;
            if (size > maxBytes) {
                throw tooLarge(maxBytes);
            }
            if (size == buffer.length) {
                buffer = Arrays.copyOf(buffer, (int) Math.min(2L * size, maxBytes + 1L));
            }
        }
        return Arrays.copyOf(buffer, size);
    }

    private static InvalidRequestException tooLarge(int maxBytes) {
        return new InvalidRequestException(
                ProblemType.BODY_TOO_LARGE, "The request body must have at most " + maxBytes + " bytes.");
    }
}
