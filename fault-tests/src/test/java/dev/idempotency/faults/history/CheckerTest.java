// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.faults.history.Event.KeyFound;
import dev.idempotency.faults.history.Event.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Histories that keep the promise, and others that were doctored in one place. */
class CheckerTest {

    private static final Promise EXACTLY_ONCE = Promise.exactlyOnce(Duration.ofSeconds(1));

    private static void mustBreak(Story story, String rule) {
        assertThat(story.checked().brokenRules()).containsExactly(rule);
    }

    private static void mustHold(Story story) {
        assertThat(story.checked().violations()).isEmpty();
    }

    @Test
    void aCallAndItsReplayAreRight() {
        Story story = new Story().runs("a", 1).called().replayed(2, 1);

        assertThat(story.checked()).isEqualTo(new Verdict(1, 2, 0, 1, 0, Map.of(), List.of()));
        assertThat(story.checked(EXACTLY_ONCE).violations()).isEmpty();
    }

    /** An owner that dies after its effect, and what its successor is called. */
    private static Story orphan(long later, boolean reported) {
        Story story = new Story().called().claimed("a", 1);
        story.effect("a", 1, story.now());
        story.fault(FaultKind.KILLED, "a").unanswered(1).after(later).called().claimed("b", 2);
        long version = story.now();
        if (reported) {
            story.reported("b", Report.ORPHAN, 2);
        }
        return story.effect("b", 2, version)
                .completed("b", version, Result.APPLIED)
                .answered(2, 2);
    }

    @Test
    void aTakeOverThatIsReportedIsRightUnlessTheEffectHadToHappenOnce() {
        mustHold(orphan(1_000, true));
        assertThat(orphan(1_000, true).checked().duplicates()).isEqualTo(1);
        assertThat(orphan(1_000, true).checked().detected()).isEqualTo(Map.of("orphan", 1));
        assertThat(orphan(1_000, true).checked(EXACTLY_ONCE).brokenRules()).containsExactly("one effect");
    }

    @Test
    void aTakeOverThatNobodyReportsIsFound() {
        mustBreak(orphan(1_000, false), "one effect, or a report of the second");
        assertThat(orphan(1_000, false).checked().detected()).isEmpty();
    }

    @Test
    void aTakeOverBeforeTheLeaseIsOverIsFound() {
        mustBreak(orphan(990, true), "one owner at a time");
    }

    @Test
    void aSecondRunAfterSuccessIsFound() {
        Story story = new Story().runs("a", 1).after(5_000).called().claimed("b", 2);
        long version = story.now();
        story.reported("b", Report.ORPHAN, 2)
                .effect("b", 2, version)
                .completed("b", version, Result.APPLIED)
                .answered(2, 2);

        assertThat(story.checked().brokenRules()).contains("one owner at a time");
    }

    @Test
    void aSecondRunIsExcusedOnlyByALossBetweenTheTwo() {
        mustHold(new Story()
                .runs("a", 1)
                .fault(FaultKind.LOSING, "")
                .fault(FaultKind.LOST, "")
                .runs("b", 1));
        assertThat(new Story()
                        .fault(FaultKind.LOSING, "")
                        .fault(FaultKind.LOST, "")
                        .runs("a", 1)
                        .runs("b", 1)
                        .checked()
                        .brokenRules())
                .contains("one owner at a time", "one effect, or a report of the second");
    }

    @Test
    void twoEffectsOfOneClaimAreFoundWhateverIsReported() {
        Story story = new Story().called().claimed("a", 1);
        long version = story.now();
        story.effect("a", 1, version)
                .effect("a", 1, version)
                .reported("a", Report.ORPHAN, 1)
                .completed("a", version, Result.APPLIED)
                .answered(1, 1);

        mustBreak(story, "one effect, or a report of the second");
    }

    @Test
    void anUnprotectedEffectIsExcusedByItsReport() {
        Story silent = new Story().runs("a", 1).called().effect("a", 0, 0).answered(2, 2);
        assertThat(silent.checked().brokenRules()).contains("one effect, or a report of the second");

        mustHold(silent.reported("a", Report.RAN_UNPROTECTED, 0));
    }

    @Test
    void anAnswerWithoutItsEffectIsFound() {
        Story invented = new Story().called().claimed("a", 1);
        mustBreak(
                invented.completed("a", invented.now(), Result.APPLIED).answered(1, 7),
                "an answer agrees with an effect");
        Story empty = new Story().called().claimed("a", 1);
        mustBreak(empty.completed("a", empty.now(), Result.APPLIED).answered(1, 0), "an answer agrees with an effect");
    }

    @Test
    void anotherAnswerThanBeforeIsFound() {
        Story story = orphan(1_000, true);

        mustHold(story.called().replayed(3, 2));
        mustBreak(story.called().replayed(4, 1), "one answer for all");
    }

    @Test
    void aRefusalByTheDeadIsFoundALeaseAfterTheirDeath() {
        Story early = new Story()
                .called()
                .claimed("a", 1)
                .fault(FaultKind.KILLED, "a")
                .unanswered(1);
        mustHold(early.after(900)
                .called()
                .refused(2, 409, "in-progress")
                .after(200)
                .runs("b", 2));

        Story late = new Story()
                .called()
                .claimed("a", 1)
                .fault(FaultKind.KILLED, "a")
                .unanswered(1);
        mustBreak(
                late.after(1_100).called().refused(2, 409, "in-progress").runs("b", 2),
                "nobody waits for the dead longer than their lease");
    }

    @Test
    void aLivingOwnerMayTakeItsTime() {
        Story story = new Story().called().claimed("a", 1);
        long version = story.now();
        mustHold(story.after(5_000)
                .called()
                .refused(2, 409, "in-progress")
                .effect("a", 1, version)
                .completed("a", version, Result.APPLIED)
                .answered(1, 1));
    }

    @Test
    void aStaleCompletionThatNobodyHearsOfIsFound() {
        Story story = orphanThatComesBack();
        mustBreak(story, "what is not written is told");
        mustBreak(story.reported("a", Report.STALE_COMPLETION, 0), "what is not written is told");
        mustHold(story.reported("a", Report.LETTER_STALE_COMPLETION, 1));
    }

    private static Story orphanThatComesBack() {
        Story story = new Story().called().claimed("a", 1);
        long version = story.now();
        return story.effect("a", 1, version)
                .fault(FaultKind.PAUSED, "a")
                .after(1_500)
                .called()
                .claimed("b", 2)
                .reported("b", Report.ORPHAN, 2)
                .effect("b", 2, story.now() - 1)
                .completed("b", story.now() - 2, Result.APPLIED)
                .answered(2, 2)
                .fault(FaultKind.RESUMED, "a")
                .completed("a", version, Result.STALE)
                .answered(1, 1);
    }

    @Test
    void aStaleOwnerThatWritesAllTheSameIsFound() {
        Story story = new Story().called().claimed("a", 1);
        long version = story.now();
        story.after(1_500).called().claimed("b", 2);
        long next = story.now();
        story.reported("b", Report.ORPHAN, 2)
                .effect("b", 2, next)
                .completed("b", next, Result.APPLIED)
                .answered(2, 1)
                .completed("a", version, Result.APPLIED)
                .answered(1, 1);

        mustBreak(story, "one owner at a time");
    }

    @Test
    void aCompletionThatGotNoAnswerMustBeWrittenLaterOrGivenUpAloud() {
        Story story = new Story().called().claimed("a", 1);
        long version = story.now();
        story.effect("a", 1, version)
                .completed("a", version, Result.UNANSWERED)
                .reported("a", Report.COMPLETION_DELAYED, 0)
                .answered(1, 1);

        mustBreak(story, "what is not written is told");
        mustHold(story.completed("a", version, Result.APPLIED));
    }

    @Test
    void aKeyThatStaysForEverIsFound() {
        mustHold(new Story().runs("a", 1).add(new KeyFound("idempotency:x", 5)));
        mustBreak(new Story().runs("a", 1).add(new KeyFound("idempotency:x", -1)), "every key has a time to live");
    }

    @Test
    void anOperationThatIsNeverDoneIsFound() {
        mustBreak(new Story().called().refused(1, 503, "store-unavailable"), "every operation can be completed");
        mustBreak(new Story().runs("a", 1).called(), "every call ends");
    }

    @Test
    void anOrphanThatIsLeftToAPersonIsDoneWhenThePersonIsTold() {
        Promise uncertain = Promise.uncertain(Duration.ofSeconds(1));
        Story story = new Story()
                .called()
                .claimed("a", 1)
                .fault(FaultKind.KILLED, "a")
                .unanswered(1)
                .after(1_100)
                .called()
                .refused(2, 409, "outcome-unknown");

        assertThat(story.checked(uncertain).brokenRules()).containsExactly("every operation can be completed");
        story.reported("b", Report.LETTER_OUTCOME_UNKNOWN, 1);
        assertThat(story.checked(uncertain).violations()).isEmpty();
        assertThat(story.checked().brokenRules()).containsExactly("every operation can be completed");
    }

    @Test
    void aRecordThatDisagreesWithTheEffectsIsFound() {
        mustHold(new Story().runs("a", 1).seen(1, true));
        mustBreak(new Story().seen(0, true).runs("a", 1), "the record says what happened");
        mustBreak(new Story().runs("a", 1).seen(1, false), "the record says what happened");
        mustBreak(new Story().runs("a", 1).seen(2, true), "the record says what happened");
    }

    @Test
    void onlyACallBetweenItsClaimAndItsEndIsHit() {
        assertThat(struck(new Story().called().claimed("a", 1))
                        .unanswered(1)
                        .checked()
                        .hit())
                .isEqualTo(1);
        assertThat(struck(new Story().called())
                        .claimed("a", 1)
                        .unanswered(1)
                        .checked()
                        .hit())
                .as("claimed afterwards")
                .isZero();
        assertThat(struck(new Story().runs("a", 1)).checked().hit())
                .as("over before")
                .isZero();
        assertThat(new Story()
                        .called()
                        .claimed("a", 1)
                        .fault(FaultKind.BROKEN, "")
                        .unanswered(1)
                        .fault(FaultKind.STRUCK, "")
                        .checked()
                        .hit())
                .as("over before it had struck")
                .isZero();
        assertThat(struck(struck(new Story().called().claimed("a", 1)))
                        .unanswered(1)
                        .checked()
                        .hit())
                .as("by two faults")
                .isEqualTo(1);
    }

    private static Story struck(Story story) {
        return story.fault(FaultKind.BROKEN, "").fault(FaultKind.STRUCK, "");
    }

    @Test
    void aProcessThatIsPausedOrKilledHitsItsOwnCallsOnly() {
        for (String instance : List.of("a", "b")) {
            int hit = instance.equals("a") ? 1 : 0;
            assertThat(new Story()
                            .called()
                            .claimed("a", 1)
                            .fault(FaultKind.PAUSED, instance)
                            .answered(1, 1)
                            .checked()
                            .hit())
                    .isEqualTo(hit);
            assertThat(new Story()
                            .called()
                            .claimed("a", 1)
                            .unanswered(1)
                            .fault(FaultKind.KILLED, instance)
                            .checked()
                            .hit())
                    .isEqualTo(hit);
        }
        assertThat(new Story()
                        .runs("a", 1)
                        .fault(FaultKind.KILLED, "a")
                        .checked()
                        .hit())
                .as("answered before it was killed")
                .isZero();
    }
}
