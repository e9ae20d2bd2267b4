// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.Handling;
import dev.idempotency.deadletter.LetterChange;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.tck.Race.Round;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

abstract class HandlingRules extends LetterRules {

    HandlingRules(DeadLetterQueueTck tck) {
        super(tck);
    }

    @Test
    void startedRedriveIsKnownToEverybody() {
        Letters letters = letters();
        String id = letters.parked(1);
        OwnerToken owner = OwnerToken.random();

        DeadLetterSummary started = changed(letters.here().startRedrive(id, owner, LONG, "ann"));

        assertThat(letters.found(id)).isEqualTo(started);
        Handling handling = started.handling();
        assertThat(handling)
                .isEqualTo(new Handling(
                        DeadLetterState.REDRIVING,
                        handling.changedAt(),
                        1,
                        owner,
                        handling.changedAt().plus(LONG),
                        "ann",
                        "",
                        null));
        assertThat(handling.changedAt()).isAfterOrEqualTo(started.firstSeen());
    }

    @Test
    void outcomeThatSettlesALetterClosesIt() {
        Letters letters = letters();
        String id = letters.parked(1);
        OwnerToken owner = OwnerToken.random();
        letters.here().startRedrive(id, owner, LONG, "ann");

        DeadLetterSummary ended = changed(letters.elsewhere().endRedrive(id, owner, RAN));

        assertThat(letters.found(id)).isEqualTo(ended);
        assertThat(ended.handling())
                .isEqualTo(new Handling(
                        DeadLetterState.REDRIVEN, ended.handling().changedAt(), 1, null, null, "ann", "", RAN));
        mustBeClosed(letters, id);
    }

    @Test
    void outcomeThatSettlesNothingLeavesTheLetterOpen() {
        Letters letters = letters();
        String id = letters.parked(1);
        OwnerToken owner = OwnerToken.random();
        letters.here().startRedrive(id, owner, LONG, "ann");

        DeadLetterSummary ended = changed(letters.here().endRedrive(id, owner, IN_PROGRESS));

        assertThat(letters.found(id)).isEqualTo(ended);
        assertThat(ended.state()).isEqualTo(DeadLetterState.OPEN);
        assertThat(ended.handling().outcome()).isEqualTo(IN_PROGRESS);
        DeadLetterSummary again = changed(letters.elsewhere().startRedrive(id, OwnerToken.random(), LONG, "bob"));
        assertThat(again.handling().redrives()).isEqualTo(2);
        assertThat(again.handling().operator()).isEqualTo("bob");
        assertThat(again.handling().outcome()).isEqualTo(IN_PROGRESS);
    }

    @Test
    void discardedLetterKeepsTheNote() {
        Letters letters = letters();
        String id = letters.parked(1);
        String note = "ordered again by hand, größer als 1 €";

        DeadLetterSummary discarded = changed(letters.here().discard(id, "ann", note));

        assertThat(letters.found(id)).isEqualTo(discarded);
        assertThat(discarded.handling())
                .isEqualTo(new Handling(
                        DeadLetterState.DISCARDED, discarded.handling().changedAt(), 0, null, null, "ann", note, null));
        mustBeClosed(letters, id);
    }

    private static void mustBeClosed(Letters letters, String id) {
        DeadLetterSummary before = letters.found(id);
        assertThat(letters.here().startRedrive(id, OwnerToken.random(), LONG, "bob"))
                .isEqualTo(new LetterChange.Refused(before));
        assertThat(letters.here().discard(id, "bob", "")).isEqualTo(new LetterChange.Refused(before));
        assertThat(letters.here().endRedrive(id, OwnerToken.random(), RAN)).isEqualTo(new LetterChange.Refused(before));
        assertThat(letters.found(id)).isEqualTo(before);
    }

    @Test
    void nobodyElseTouchesARunningRedrive() {
        Letters letters = letters();
        String id = letters.parked(1);
        letters.here().startRedrive(id, OwnerToken.random(), LONG, "ann");

        mustBeClosed(letters, id);
    }

    @Test
    void ownerWhoNeverSawTheReplyMayAskAgain() {
        Letters letters = letters();
        String id = letters.parked(1);
        OwnerToken owner = OwnerToken.random();
        LetterChange first = letters.here().startRedrive(id, owner, LONG, "ann");

        assertThat(letters.elsewhere().startRedrive(id, owner, LONG, "ann")).isEqualTo(first);
    }

    @Test
    void redriveThatBrokeOffBlocksNobody() {
        Letters letters = letters();
        String id = letters.parked(1);
        OwnerToken silent = OwnerToken.random();
        letters.here().startRedrive(id, silent, units(1), "ann");
        elapse(units(2));

        assertThat(letters.found(id).state()).isEqualTo(DeadLetterState.OPEN);
        DeadLetterSummary again = changed(letters.elsewhere().startRedrive(id, OwnerToken.random(), LONG, "bob"));

        assertThat(again.handling().redrives()).isEqualTo(2);
        assertThat(letters.here().endRedrive(id, silent, RAN)).isEqualTo(new LetterChange.Refused(again));
        assertThat(letters.found(id)).isEqualTo(again);
    }

    @Test
    void lateOutcomeIsWrittenDownUnlessSomebodyHasActed() {
        Letters letters = letters();
        OwnerToken late = OwnerToken.random();
        String untouched = letters.parked(1);
        String discarded = letters.parked(2);
        letters.here().startRedrive(untouched, late, units(1), "ann");
        letters.here().startRedrive(discarded, late, units(1), "ann");
        elapse(units(2));
        letters.here().discard(discarded, "bob", "");

        assertThat(changed(letters.here().endRedrive(untouched, late, RAN)).state())
                .isEqualTo(DeadLetterState.REDRIVEN);
        assertThat(letters.here().endRedrive(discarded, late, RAN)).isInstanceOf(LetterChange.Refused.class);
        assertThat(letters.found(discarded).state()).isEqualTo(DeadLetterState.DISCARDED);
    }

    @Test
    void whatIsNotThereCannotBeChanged() {
        Letters letters = letters();
        OwnerToken owner = OwnerToken.random();

        assertThat(letters.here().startRedrive("none", owner, LONG, "ann")).isEqualTo(new LetterChange.Absent());
        assertThat(letters.here().endRedrive("none", owner, RAN)).isEqualTo(new LetterChange.Absent());
        assertThat(letters.here().discard("none", "ann", "")).isEqualTo(new LetterChange.Absent());
    }

    @Test
    void occurrencesAreCountedWhateverTheState() {
        Letters letters = letters();
        String id = letters.discarded(1);

        assertThat(letters.here().seenAgain(id)).isTrue();

        assertThat(letters.found(id).occurrences()).isEqualTo(2);
        assertThat(letters.found(id).state()).isEqualTo(DeadLetterState.DISCARDED);
    }

    @Test
    void notesAndNamesHaveABound() {
        Letters letters = letters();
        String id = letters.parked(1);
        DeadLetterSummary before = letters.found(id);
        String longName = "n".repeat(Handling.MAX_OPERATOR + 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> letters.here().discard(id, "ann", "n".repeat(Handling.MAX_NOTE + 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> letters.here().discard(id, longName, ""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> letters.here().startRedrive(id, OwnerToken.random(), LONG, longName));
        assertThat(letters.found(id)).isEqualTo(before);
        changed(letters.here().discard(id, "n".repeat(Handling.MAX_OPERATOR), "ä".repeat(Handling.MAX_NOTE)));
    }

    @Test
    void oneOfTwoOperatorsWhoRedriveAtOnceWins() {
        Letters letters = letters();
        AtomicInteger numbers = new AtomicInteger();

        oneWins(Race.run(
                rounds(),
                () -> letters.parked(numbers.incrementAndGet()),
                id -> letters.here().startRedrive(id, OwnerToken.random(), LONG, "ann"),
                id -> letters.elsewhere().startRedrive(id, OwnerToken.random(), LONG, "bob")));
    }

    @Test
    void letterIsEitherRedrivenOrDiscarded() {
        Letters letters = letters();
        AtomicInteger numbers = new AtomicInteger();

        oneWins(Race.run(
                rounds(),
                () -> letters.parked(numbers.incrementAndGet()),
                id -> letters.here().startRedrive(id, OwnerToken.random(), LONG, "ann"),
                id -> letters.elsewhere().discard(id, "bob", "")));
    }

    @Test
    void oneOfTwoHeirsOfABrokenOffRedriveWins() {
        Letters letters = letters();
        Queue<String> brokenOff = new ArrayDeque<>();
        for (int number = 0; number < rounds(); number++) {
            String id = letters.parked(number);
            letters.here().startRedrive(id, OwnerToken.random(), Duration.ofNanos(400_000), "ann");
            brokenOff.add(id);
        }
        elapse(units(1));

        oneWins(Race.run(
                rounds(),
                brokenOff::remove,
                id -> letters.here().startRedrive(id, OwnerToken.random(), LONG, "ann"),
                id -> letters.elsewhere().startRedrive(id, OwnerToken.random(), LONG, "bob")));
    }

    private static void oneWins(List<Round<String, LetterChange, LetterChange>> rounds) {
        for (Round<String, LetterChange, LetterChange> round : rounds) {
            assertThat(List.of(round.left(), round.right()))
                    .hasAtLeastOneElementOfType(LetterChange.Changed.class)
                    .hasAtLeastOneElementOfType(LetterChange.Refused.class);
        }
    }
}
