// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterContent;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.LetterPage;
import dev.idempotency.store.UnreadableContentException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A dead letter with what is inside. */
record OpenLetter(DeadLetterSummary summary, DeadLetterContent content) {

    /** All letters of a queue, the one parked last first. */
    static List<OpenLetter> of(DeadLetterQueue queue) {
        List<OpenLetter> letters = new ArrayList<>();
        String start = null;
        do {
            LetterPage page = queue.list(LetterFilter.ALL, start, LetterPage.MAX_SIZE);
            page.letters().forEach(summary -> letters.add(of(queue.find(summary.id()))));
            start = page.next();
        } while (start != null);
        return letters;
    }

    static OpenLetter of(DeadLetter letter) {
        try {
            return new OpenLetter(letter.summary(), letter.open());
        } catch (UnreadableContentException e) {
            throw new IllegalStateException(e);
        }
    }

    String body() {
        return new String(content.request().body().bytes(), StandardCharsets.UTF_8);
    }
}
