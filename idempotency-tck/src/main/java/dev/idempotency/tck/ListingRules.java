// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.LetterPage;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.store.OwnerToken;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

abstract class ListingRules extends LetterRules {

    ListingRules(DeadLetterQueueTck tck) {
        super(tck);
    }

    @Test
    void emptyQueueHasOneEmptyPage() {
        assertThat(letters().here().list(LetterFilter.ALL, null, 1)).isEqualTo(new LetterPage(List.of(), null));
    }

    @Test
    void latestComesFirstAndAnotherOccurrenceMovesNothing() {
        Letters letters = letters();
        List<String> ids = List.of(letters.parked(1), letters.parked(2), letters.parked(3));
        letters.here().park(request(1));

        assertThat(letters.ids()).containsExactly(ids.get(2), ids.get(1), ids.get(0));
        assertThat(letters.here().list(LetterFilter.ALL, null, 1).letters()).containsExactly(letters.found(ids.get(2)));
    }

    @Test
    void everyLetterIsOnOnePage() {
        Letters letters = letters();
        for (int number = 1; number <= 250; number++) {
            letters.parked(number);
        }

        for (int size : new int[] {1, 7, 50, 100}) {
            List<LetterPage> pages = pages(letters, LetterFilter.ALL, size);
            assertThat(pages).hasSize((250 + size - 1) / size);
            assertThat(ids(pages)).isEqualTo(expected(250, 1));
        }
    }

    @Test
    void whatIsParkedMeanwhileMovesNothing() {
        Letters letters = letters();
        for (int number = 1; number <= 9; number++) {
            letters.parked(number);
        }
        List<LetterPage> pages = new ArrayList<>();
        String start = null;
        do {
            LetterPage page = letters.elsewhere().list(LetterFilter.ALL, start, 2);
            pages.add(page);
            start = page.next();
            letters.parked(100 + pages.size());
            letters.here().park(request(1));
        } while (start != null);

        assertThat(ids(pages)).isEqualTo(expected(9, 1));
    }

    @Test
    void whatLeavesTheFilterMeanwhileMovesNothing() {
        Letters letters = letters();
        for (int number = 1; number <= 6; number++) {
            letters.parked(number);
        }
        LetterPage first = letters.here().list(LetterFilter.in(DeadLetterState.OPEN), null, 2);
        for (DeadLetterSummary letter : first.letters()) {
            letters.here().discard(letter.id(), "ann", "");
        }

        LetterPage second = letters.elsewhere().list(LetterFilter.in(DeadLetterState.OPEN), first.next(), 2);

        assertThat(ids(List.of(second))).isEqualTo(expected(4, 3));
    }

    @Test
    void lettersAreFilteredByTheirState() {
        Letters letters = letters();
        String open = letters.parked(1);
        String redriven = letters.redriven(2);
        String discarded = letters.discarded(3);
        String redriving = letters.parked(4);
        letters.here().startRedrive(redriving, OwnerToken.random(), LONG, "ann");
        String brokenOff = letters.parked(5);
        letters.here().startRedrive(brokenOff, OwnerToken.random(), units(1), "ann");
        elapse(units(2));

        assertThat(letters.ids(LetterFilter.in(DeadLetterState.OPEN))).containsExactly(brokenOff, open);
        assertThat(letters.ids(LetterFilter.in(DeadLetterState.REDRIVING))).containsExactly(redriving);
        assertThat(letters.ids(LetterFilter.in(DeadLetterState.REDRIVEN))).containsExactly(redriven);
        assertThat(letters.ids(LetterFilter.in(DeadLetterState.DISCARDED))).containsExactly(discarded);
        assertThat(letters.elsewhere().counts())
                .containsEntry(DeadLetterState.OPEN, 2L)
                .containsEntry(DeadLetterState.REDRIVING, 1L)
                .containsEntry(DeadLetterState.REDRIVEN, 1L)
                .containsEntry(DeadLetterState.DISCARDED, 1L);
    }

    @Test
    void lettersAreFilteredByReasonBizTypeAndTime() {
        Letters letters = letters();
        List<ParkedRequest> requests = List.of(
                request(DeadLetterReason.BREAKER_OPENED, "orders", 1, "a"),
                request(DeadLetterReason.OUTCOME_UNKNOWN, "orders", 2, "b"),
                request(DeadLetterReason.BREAKER_OPENED, "refunds", 3, "c"));
        for (ParkedRequest request : requests) {
            letters.here().park(request);
            elapse(units(1));
        }
        List<String> ids = requests.stream().map(ParkedRequest::id).toList();
        Instant second = letters.found(ids.get(1)).firstSeen();

        assertThat(letters.ids(filter(DeadLetterReason.BREAKER_OPENED, null, null, null)))
                .containsExactly(ids.get(2), ids.get(0));
        assertThat(letters.ids(filter(null, "orders", null, null))).containsExactly(ids.get(1), ids.get(0));
        assertThat(letters.ids(filter(null, null, second, null))).containsExactly(ids.get(2), ids.get(1));
        assertThat(letters.ids(filter(null, null, null, second))).containsExactly(ids.get(0));
        assertThat(letters.ids(filter(DeadLetterReason.OUTCOME_UNKNOWN, "orders", second, second.plusNanos(1_000))))
                .containsExactly(ids.get(1));
        assertThat(letters.ids(filter(null, "order", null, null))).isEmpty();
    }

    @Test
    void pagesOfAFilterAreFullUntilTheLast() {
        Letters letters = letters();
        for (int number = 1; number <= 300; number++) {
            String id = letters.parked(number);
            if (number % 30 != 0) {
                letters.here().discard(id, "ann", "");
            }
        }

        List<LetterPage> pages = pages(letters, LetterFilter.in(DeadLetterState.OPEN), 4);

        assertThat(pages).extracting(page -> page.letters().size()).containsExactly(4, 4, 2);
    }

    @Test
    void countsTellOfEveryState() {
        assertThat(letters().here().counts())
                .containsOnlyKeys(DeadLetterState.values())
                .allSatisfy((state, count) -> assertThat(count).isZero());
    }

    @Test
    void startsAndSizesThatAreNoneAreRefused() {
        Letters letters = letters();
        for (int size : new int[] {0, -1, LetterPage.MAX_SIZE + 1}) {
            assertThatIllegalArgumentException().isThrownBy(() -> letters.here().list(LetterFilter.ALL, null, size));
        }
        for (String start : new String[] {"", "x", "1;2", "9".repeat(100)}) {
            assertThatIllegalArgumentException().isThrownBy(() -> letters.here().list(LetterFilter.ALL, start, 1));
        }
    }

    private static LetterFilter filter(
            @Nullable DeadLetterReason reason, @Nullable String bizType, @Nullable Instant from, @Nullable Instant to) {
        return new LetterFilter(null, reason, bizType, from, to);
    }

    private static List<LetterPage> pages(Letters letters, LetterFilter filter, int size) {
        List<LetterPage> pages = new ArrayList<>();
        String start = null;
        do {
            LetterPage page = letters.elsewhere().list(filter, start, size);
            assertThat(page.letters()).hasSizeLessThanOrEqualTo(size);
            pages.add(page);
            start = page.next();
        } while (start != null);
        return pages;
    }

    private static List<String> ids(List<LetterPage> pages) {
        return pages.stream()
                .flatMap(page -> page.letters().stream())
                .map(DeadLetterSummary::id)
                .toList();
    }

    private static List<String> expected(int from, int downTo) {
        List<String> ids = new ArrayList<>();
        for (int number = from; number >= downTo; number--) {
            ids.add(request(number).id());
        }
        return ids;
    }
}
