// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import dev.idempotency.deadletter.DeadLetter;
import dev.idempotency.deadletter.DeadLetterLimits;
import dev.idempotency.deadletter.DeadLetterQueue;
import dev.idempotency.deadletter.DeadLetterState;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.LetterChange;
import dev.idempotency.deadletter.LetterFilter;
import dev.idempotency.deadletter.LetterPage;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.deadletter.RedriveOutcome;
import dev.idempotency.memory.InMemoryDeadLetterQueue;
import dev.idempotency.store.OwnerToken;
import dev.idempotency.store.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** Faults that a queue can have, each with the tests of the kit that must find it. */
@SuppressWarnings("ImmutableEnumChecker") // the functions hold nothing
enum LetterFault {
    NONE(List.of(), sound -> sound),
    PARKED_BY_GET_THEN_SET(List.of("oneOfTwoParksMakesTheLetter"), sound -> new WrappedQueue(sound) {
        @Override
        public Parked park(ParkedRequest request) {
            boolean known = sound.find(request.id()) != null;
            LockSupport.parkNanos(1);
            return new Parked(!known, sound.park(request).dropped());
        }
    }),
    OCCURRENCES_LOST(
            List.of("aThousandParksOfOneCaseAreOneLetter", "anotherOccurrenceIsCountedInTheFirstLetter"),
            sound -> new WrappedQueue(sound) {
                @Override
                public Parked park(ParkedRequest request) {
                    return sound.find(request.id()) == null ? sound.park(request) : new Parked(false, List.of());
                }
            }),
    OCCURRENCE_OF_NOTHING(List.of("whatIsNotThereIsNotSeenAgain"), sound -> new WrappedQueue(sound) {
        @Override
        public boolean seenAgain(String id) {
            sound.seenAgain(id);
            return true;
        }
    }),
    LATEST_CONTENT_KEPT(List.of("anotherOccurrenceIsCountedInTheFirstLetter"), sound -> new WrappedQueue(sound) {
        private final Map<String, Payload> latest = new ConcurrentHashMap<>();

        @Override
        public Parked park(ParkedRequest request) {
            latest.put(request.id(), request.content());
            return sound.park(request);
        }

        @Override
        public DeadLetter find(String id) {
            DeadLetter letter = sound.find(id);
            return letter == null ? null : letter.summary().with(latest.get(id));
        }
    }),
    DROPPED_WITHOUT_A_WORD(List.of("oldestMakesRoomAndIsNamed"), sound -> new WrappedQueue(sound) {
        @Override
        public Parked park(ParkedRequest request) {
            return new Parked(sound.park(request).isNew(), List.of());
        }
    }),
    STARTED_BY_GET_THEN_SET(
            List.of("oneOfTwoOperatorsWhoRedriveAtOnceWins", "oneOfTwoHeirsOfABrokenOffRedriveWins"),
            sound -> new WrappedQueue(sound) {
                @Override
                public LetterChange startRedrive(String id, OwnerToken owner, Duration lease, String operator) {
                    DeadLetter letter = sound.find(id);
                    LockSupport.parkNanos(1);
                    LetterChange change = sound.startRedrive(id, owner, lease, operator);
                    return letter != null
                                    && letter.summary().state() == DeadLetterState.OPEN
                                    && change instanceof LetterChange.Refused refused
                            ? new LetterChange.Changed(refused.letter())
                            : change;
                }
            }),
    REDRIVE_NEVER_BREAKS_OFF(
            List.of("redriveThatBrokeOffBlocksNobody", "lettersAreFilteredByTheirState"),
            sound -> new WrappedQueue(sound) {
                @Override
                public LetterChange startRedrive(String id, OwnerToken owner, Duration lease, String operator) {
                    return sound.startRedrive(id, owner, Duration.ofDays(1), operator);
                }
            }),
    ENDED_BY_ANYBODY(List.of("nobodyElseTouchesARunningRedrive"), sound -> new WrappedQueue(sound) {
        @Override
        public LetterChange endRedrive(String id, OwnerToken owner, RedriveOutcome outcome) {
            DeadLetter letter = sound.find(id);
            OwnerToken known =
                    letter == null ? null : letter.summary().handling().owner();
            return sound.endRedrive(id, known == null ? owner : known, outcome);
        }
    }),
    EVERY_OUTCOME_CLOSES(List.of("outcomeThatSettlesNothingLeavesTheLetterOpen"), sound -> new WrappedQueue(sound) {
        @Override
        public LetterChange endRedrive(String id, OwnerToken owner, RedriveOutcome outcome) {
            return sound.endRedrive(id, owner, new RedriveOutcome(RedriveOutcome.Result.RAN, outcome.status()));
        }
    }),
    NOTE_LOST(List.of("discardedLetterKeepsTheNote"), sound -> new WrappedQueue(sound) {
        @Override
        public LetterChange discard(String id, String operator, String note) {
            return sound.discard(id, operator, note.isEmpty() ? "" : note.substring(1));
        }
    }),
    PAGES_BY_OFFSET(List.of("whatIsParkedMeanwhileMovesNothing"), sound -> new WrappedQueue(sound) {
        @Override
        public LetterPage list(LetterFilter filter, String start, int size) {
            List<DeadLetterSummary> all = new ArrayList<>();
            String next = null;
            do {
                LetterPage page = sound.list(filter, next, LetterPage.MAX_SIZE);
                all.addAll(page.letters());
                next = page.next();
            } while (next != null);
            int from = Math.min(all.size(), start == null ? 0 : Integer.parseInt(start));
            int to = Math.min(all.size(), from + size);
            return new LetterPage(all.subList(from, to), to == all.size() ? null : Integer.toString(to));
        }
    }),
    FILTERED_AFTER_PAGING(List.of("pagesOfAFilterAreFullUntilTheLast"), sound -> new WrappedQueue(sound) {
        @Override
        public LetterPage list(LetterFilter filter, String start, int size) {
            LetterPage page = sound.list(LetterFilter.ALL, start, size);
            return new LetterPage(
                    page.letters().stream().filter(filter::accepts).toList(), page.next());
        }
    }),
    TIME_IGNORED(List.of("lettersAreFilteredByReasonBizTypeAndTime"), sound -> new WrappedQueue(sound) {
        @Override
        public LetterPage list(LetterFilter filter, String start, int size) {
            return sound.list(
                    new LetterFilter(filter.state(), filter.reason(), filter.bizType(), null, null), start, size);
        }
    }),
    COUNT_IGNORED(
            List.of("oldestMakesRoomAndIsNamed", "queueNeverHoldsMoreThanItMay"),
            sound -> sound,
            limits -> new DeadLetterLimits(1_000_000, limits.maxBytes(), limits.retention())),
    BYTES_IGNORED(
            List.of("bytesAreBoundedToo", "letterLargerThanTheQueueIsRefused"),
            sound -> sound,
            limits -> new DeadLetterLimits(limits.maxCount(), 64 << 20, limits.retention())),
    RETENTION_IGNORED(
            List.of("letterIsGoneWhenItsRetentionIsOver", "lettersWhoseRetentionIsOverTakeNoRoom"),
            sound -> sound,
            limits -> new DeadLetterLimits(limits.maxCount(), limits.maxBytes(), Duration.ofDays(365)));

    private final List<String> foundBy;
    private final UnaryOperator<DeadLetterQueue> planted;
    private final UnaryOperator<DeadLetterLimits> limits;

    LetterFault(List<String> foundBy, UnaryOperator<DeadLetterQueue> planted) {
        this(foundBy, planted, UnaryOperator.identity());
    }

    LetterFault(List<String> foundBy, UnaryOperator<DeadLetterQueue> planted, UnaryOperator<DeadLetterLimits> limits) {
        this.foundBy = foundBy;
        this.planted = planted;
        this.limits = limits;
    }

    /** Names of the test methods that must fail. */
    List<String> foundBy() {
        return foundBy;
    }

    DeadLetterQueue plant(DeadLetterLimits wanted, ManualClock clock) {
        return planted.apply(new InMemoryDeadLetterQueue(limits.apply(wanted), clock));
    }
}
