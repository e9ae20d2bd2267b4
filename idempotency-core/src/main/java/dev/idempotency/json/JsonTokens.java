// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

/** A JSON text being read, token by token; for one thread. */
public interface JsonTokens extends AutoCloseable {

    /**
     * Moves to the next token.
     *
     * @throws MalformedJsonException if the text is not JSON from here on, or exceeds the reader's limits
     */
    JsonToken next() throws MalformedJsonException;

    /**
     * Text of the current token: names and strings with their escapes resolved, numbers as they are written.
     *
     * @throws MalformedJsonException if the text is not JSON
     */
    String text() throws MalformedJsonException;

    @Override
    void close();
}
