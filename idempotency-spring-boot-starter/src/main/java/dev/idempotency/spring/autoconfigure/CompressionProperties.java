// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.encoding.PayloadCompression;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Compression of stored answers.
 *
 * @param enabled Whether large answers are compressed. Compressed ones are read in any case.
 * @param minSize Fewest bytes that are compressed.
 */
public record CompressionProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("4KB") DataSize minSize) {

    /** So that a lower limit of answers leaves older ones readable. */
    private static final DataSize ALWAYS_READ = DataSize.ofMegabytes(16);

    /** For what is stored beside an answer's body. */
    private static final DataSize HEADERS = DataSize.ofMegabytes(1);

    public CompressionProperties {
        Rule.property("compression.min-size")
                .holds(
                        minSize.toBytes() >= 1
                                && minSize.toBytes() <= DataSize.ofGigabytes(1).toBytes(),
                        "must be from 1B to 1GB",
                        minSize);
    }

    /** The compression of answers whose bodies have at most so many bytes. */
    PayloadCompression newCompression(DataSize maxAnswer) {
        long most = Math.max(ALWAYS_READ.toBytes(), maxAnswer.toBytes() + HEADERS.toBytes());
        return new PayloadCompression(enabled ? (int) minSize.toBytes() : Integer.MAX_VALUE, (int) most);
    }
}
