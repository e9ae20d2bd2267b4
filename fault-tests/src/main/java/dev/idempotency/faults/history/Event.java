// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

/** One thing that happened: to a call, to an attempt, or to a process or a connection. */
public sealed interface Event {

    /** Something that concerns one operation. */
    sealed interface OfOperation extends Event {

        /** The idempotency key that its sender uses. */
        String operation();
    }

    /** A request is about to be sent. */
    record Called(String operation, long call) implements OfOperation {}

    /**
     * A request was answered.
     *
     * @param problem the last part of the problem's type, empty if the answer is none
     * @param effect id of the effect that the answer names, 0 if it names none
     */
    record Answered(String operation, long call, int status, boolean replayed, String problem, long effect)
            implements OfOperation {

        /** Whether the caller was told that the operation is done. */
        public boolean isSuccess() {
            return status >= 200 && status < 300;
        }
    }

    /** A request got no answer, and will get none. */
    record Unanswered(String operation, long call) implements OfOperation {}

    /**
     * The store has said that the attempt owns the operation.
     *
     * @param call the request that it was claimed for
     * @param version the claim's fencing number, in microseconds of the store's clock
     */
    record Claimed(String operation, long call, String instance, int attempt, long version) implements OfOperation {}

    /** The store gave no answer to a claim, which it may have made. */
    record ClaimUnanswered(String operation, String instance) implements OfOperation {}

    /**
     * The operation's effect happened, outside of the library and where everybody can count it.
     *
     * @param id in the order in which effects happened
     * @param version the fencing number of the attempt, 0 if it ran unprotected
     */
    record Effect(String operation, String instance, long id, int attempt, long version) implements OfOperation {}

    /**
     * Effects and record of an operation, as they stood in the database at one moment.
     *
     * @param succeeded whether the record says that the operation is done
     */
    record Seen(String operation, int effects, boolean succeeded) implements OfOperation {}

    /**
     * An owner has told the store of its end.
     *
     * @param version of its claim, 0 if it never learnt that
     */
    record Completed(String operation, String instance, long version, End end, Result result) implements OfOperation {}

    /**
     * The library has told a listener or a dead-letter queue of something out of the ordinary.
     *
     * @param attempt the number of the attempt that it is about, 0 if that was not said
     */
    record Reported(String operation, String instance, Report report, int attempt) implements OfOperation {}

    /**
     * A fault was injected, or is over.
     *
     * @param instance the application that it happened to, empty if it happened to something else
     */
    record Fault(FaultKind kind, String instance) implements Event {}

    /**
     * A key was found in the store afterwards.
     *
     * @param ttlMillis its time to live, negative if it has none
     */
    record KeyFound(String key, long ttlMillis) implements Event {}

    /** What an owner wanted to write. */
    enum End {
        SUCCESS,
        FAILURE,
        RELEASE
    }

    /** What the store said to it. */
    enum Result {
        APPLIED,

        /** It is part of a transaction that is still to be committed. */
        JOINED,

        /** The transaction that it was to be a part of is lost. */
        UNJOINED,
        STALE,
        UNANSWERED
    }
}
