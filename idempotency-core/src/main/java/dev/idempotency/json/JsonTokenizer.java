// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

/**
 * The JSON library of the application, as far as it is needed here. Implementations keep numbers as they are written,
 * report duplicate members, accept nothing but JSON, and bound the nesting depth. May be called from any thread.
 */
public interface JsonTokenizer {

    /** Starts to read a JSON text in UTF-8, with or without a byte order mark, or in UTF-16 or UTF-32. */
    JsonTokens tokens(byte[] json) throws MalformedJsonException;
}
