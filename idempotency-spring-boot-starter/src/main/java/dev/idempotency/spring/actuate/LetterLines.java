// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.actuate;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.LetterPage;
import dev.idempotency.json.JsonText;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.AbstractResource;

/** All letters that meet a filter, one JSON object a line; read as they are sent, one letter at a time in memory. */
final class LetterLines extends AbstractResource {

    private final DeadLetterQueue queue;
    private final LetterFilter filter;

    LetterLines(DeadLetterQueue queue, LetterFilter filter) {
        this.queue = queue;
        this.filter = filter;
    }

    @Override
    public String getDescription() {
        return "dead letters";
    }

    /** Not known before all of them are read. */
    @Override
    public long contentLength() {
        return -1;
    }

    @Override
    public boolean exists() {
        return true;
    }

    @Override
    public InputStream getInputStream() {
        return new Lines();
    }

    private final class Lines extends InputStream {

        private static final byte[] NONE = new byte[0];

        private final Queue<DeadLetterSummary> page = new ArrayDeque<>();
        private @Nullable String start;
        private boolean last;
        private byte[] line = NONE;
        private int at;

        @Override
        public int read() {
            return atEnd() ? -1 : line[at++] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (length == 0) {
                return 0;
            }
            if (atEnd()) {
                return -1;
            }
            int count = Math.min(length, line.length - at);
            System.arraycopy(line, at, target, offset, count);
            at += count;
            return count;
        }

        /** Goes on to the next letter if the line is used up. */
        private boolean atEnd() {
            while (at == line.length && (!page.isEmpty() || !last)) {
                DeadLetterSummary next = page.poll();
                if (next == null) {
                    LetterPage read = queue.list(filter, start, LetterPage.MAX_SIZE);
                    page.addAll(read.letters());
                    start = read.next();
                    last = start == null;
                } else {
                    DeadLetter letter = queue.find(next.id()); // which may be gone meanwhile
                    line = letter == null
                            ? NONE
                            : (JsonText.of(LetterView.whole(letter)) + "\n").getBytes(StandardCharsets.UTF_8);
                    at = 0;
                }
            }
            return at == line.length;
        }
    }
}
