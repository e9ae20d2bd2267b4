// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResponseBufferTest {

    @Test
    void keepsWhatIsAppendedInAnyPieces() throws Exception {
        byte[] source = new byte[10_000];
        new Random(1).nextBytes(source);
        for (int piece : new int[] {1, 7, 511, 512, 513, 9_999, 10_000}) {
            ResponseBuffer buffer = new ResponseBuffer(10_000);
            for (int at = 0; at < source.length; at += piece) {
                int length = Math.min(piece, source.length - at);
                assertThat(buffer.hasRoomFor(length)).isTrue();
                buffer.append(source, at, length);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            buffer.writeTo(out, 10_000);
            assertThat(out.toByteArray()).isEqualTo(source).isEqualTo(buffer.toBytes(10_000));
            assertThat(buffer.size()).isEqualTo(10_000);
            assertThat(buffer.hasRoomFor(1)).isFalse();
            assertThat(buffer.hasRoomFor(0)).isTrue();
        }
    }

    @Test
    void boundSmallerThanTheFirstSizeIsKept() throws Exception {
        ResponseBuffer buffer = new ResponseBuffer(3);
        assertThat(buffer.hasRoomFor(3)).isTrue();
        assertThat(buffer.hasRoomFor(4)).isFalse();
        assertThat(buffer.hasRoomFor(Integer.MAX_VALUE)).isFalse();
        buffer.append(new byte[] {1, 2, 3}, 0, 3);
        assertThat(buffer.toBytes(3)).containsExactly(1, 2, 3);
        assertThat(buffer.toBytes(2)).containsExactly(1, 2);
    }

    @Test
    void whatMemoryHasNoRoomForIsKeptOnDisk() throws Exception {
        byte[] source = new byte[100_000];
        new Random(2).nextBytes(source);
        ResponseBuffer buffer = new ResponseBuffer(1_000);
        for (int at = 0; at < source.length; at += 700) {
            buffer.append(source, at, Math.min(700, source.length - at));
        }
        assertThat(buffer.isSpilled()).isTrue();
        assertThat(buffer.hasRoomFor(1)).isFalse();
        assertThat(buffer.size()).isEqualTo(source.length);
        for (int length : new int[] {0, 699, 700, 701, 1_000, 50_000, 100_000}) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            buffer.writeTo(out, length);
            assertThat(out.toByteArray()).isEqualTo(Arrays.copyOf(source, length));
        }
        buffer.clear();
        assertThat(buffer.size()).isZero();
        assertThat(buffer.isSpilled()).isFalse();
    }

    @Test
    void clearedBufferHasRoomAgain() throws Exception {
        ResponseBuffer buffer = new ResponseBuffer(4);
        buffer.append(new byte[] {1, 2, 3}, 0, 3);
        buffer.clear();
        assertThat(buffer.size()).isZero();
        assertThat(buffer.hasRoomFor(4)).isTrue();
        buffer.append(new byte[] {9, 4}, 1, 1);
        assertThat(buffer.toBytes(1)).containsExactly(4);
    }
}
