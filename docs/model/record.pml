/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One record and the steps of a store, each of them atomic: RecordStateMachine in Promela. Time is the store's and is
 * counted down: a lease of 2 is over after two ticks. Other models include this one.
 */

mtype = { ABSENT, PENDING, SUCCESS, FAILED };

mtype = {
    CLAIMED, COMPLETED, IN_PROGRESS, KEY_REUSED, COOLING_DOWN, OUTCOME_UNKNOWN, /* ClaimResult */
    APPLIED, STALE, /* CompletionResult */
    RENEWED, LOST, /* renew */
    RELEASED, REFUSED, NOT_THERE /* ReleaseResult */
};

mtype = { NONE, AFTER_FAILURE, ORPHANED }; /* PreviousAttempt */

mtype = { NO_END, SUCCEED, FAIL, RELEASE }; /* Completion */

/* Faults that can be planted, one at a time: -DFAULT=LEASE_NOT_CHECKED. The checker has to find each. */
mtype = {
    NO_FAULT,
    /* of a store */
    OWNER_NOT_CHECKED, LEASE_NOT_CHECKED, LEASE_OF_A_RENEWAL_NOT_CHECKED, LEASE_NEVER_ENDS,
    SUCCESS_OVERWRITTEN, SUCCESS_RELEASED, TTL_RESTARTED_BY_A_REPLAY, EXPIRY_IGNORED,
    VERSION_RESTARTS, VERSION_KEPT_BY_A_TAKE_OVER, RELEASE_OF_ANY_VERSION, OTHER_CONTENT_RUNS,
    OWN_END_NOT_RECOGNISED, UNCERTAIN_TAKEN_OVER, COOLDOWN_IGNORED, COOLDOWN_NEVER_ENDS,
    TRIAL_FAILS_LIKE_ANY_OTHER, LOOKS_THEN_CLAIMS,
    /* of a coordinator */
    UNANSWERED_CLAIM_RUNS, UNANSWERED_END_RUNS_AGAIN, END_BEFORE_THE_EFFECT,
    /* of a transaction */
    ROW_NOT_LOCKED, STALE_COMMITTED, UNKNOWN_COMMIT_TAKEN_FOR_FAILED
};

#ifndef FAULT
#define FAULT NO_FAULT
#endif
#define PLANTED(fault) (FAULT == fault)

/* Policy, in ticks. */
byte leaseTime = LEASE;
byte ttlTime = TTL;
byte windowTime = WINDOW;
byte cooldownTime = COOLDOWN;
byte failures = FAILURES;

typedef Record {
    mtype status;
    byte version;
    byte owner; /* 0 is nobody */
    byte content; /* what the fingerprint is of */
    byte attempts;
    byte lease;
    byte ttl;
    byte younger; /* for how long the latest failure still counts, */
    byte older; /* and the one before */
    bit opened; /* cooledUntil is set, past or future */
    byte cool; /* for how long the operation is still refused */
};

Record r;

/* The store's clock as it numbers versions: no two changes of a record happen at one instant. */
byte instant;

/* What the latest step has answered. */
hidden mtype answer;
hidden mtype previous;

#define THERE (r.status != ABSENT && (r.ttl > 0 || PLANTED(EXPIRY_IGNORED)))
#define OWNED (r.status == PENDING && r.lease > 0)

inline less(timer) {
    if
    :: timer > 0 -> timer--
    :: else
    fi
}

inline tickRecord() {
    if
    :: PLANTED(LEASE_NEVER_ENDS) && r.status == PENDING
    :: else -> less(r.lease); less(r.ttl)
    fi;
    less(r.younger);
    less(r.older);
    if
    :: PLANTED(COOLDOWN_NEVER_ENDS)
    :: else -> less(r.cool)
    fi
}

inline forget() {
    r.status = ABSENT; r.version = 0; r.owner = 0; r.content = 0; r.attempts = 0;
    r.lease = 0; r.ttl = 0; r.younger = 0; r.older = 0; r.opened = 0; r.cool = 0
}

inline nextVersion() {
    instant++;
    r.version = instant
}

inline begin(by, what) {
    forget();
    r.attempts = 1;
    r.content = what;
    if
    :: PLANTED(VERSION_RESTARTS) -> r.version = 1
    :: else -> nextVersion()
    fi;
    own(by)
}

inline own(by) {
    r.status = PENDING;
    r.owner = by;
    r.lease = leaseTime;
    r.ttl = ttlTime;
    answer = CLAIMED
}

inline claimAgain(by, what, after) {
    previous = after;
    r.attempts = (r.attempts < MOST_ATTEMPTS -> r.attempts + 1 : r.attempts);
    r.content = what;
    if
    :: PLANTED(VERSION_KEPT_BY_A_TAKE_OVER) && after == ORPHANED
    :: else -> nextVersion()
    fi;
    own(by)
}

/* RecordStateMachine.claim; redriven is 0 or the version that a dead letter is about. */
inline claim(by, what, uncertain, redriven) {
    previous = NONE;
    if
    :: !THERE -> begin(by, what)
    :: else ->
        if
        :: OWNED && r.owner == by -> answer = CLAIMED
        :: !(OWNED && r.owner == by) && r.content != what && !PLANTED(OTHER_CONTENT_RUNS) -> answer = KEY_REUSED
        :: else ->
            if
            :: r.status == SUCCESS ->
                answer = COMPLETED;
                if
                :: PLANTED(TTL_RESTARTED_BY_A_REPLAY) -> r.ttl = ttlTime
                :: else
                fi
            :: OWNED -> answer = IN_PROGRESS
            :: r.status == PENDING && !OWNED ->
                if
                :: uncertain && redriven != r.version && !PLANTED(UNCERTAIN_TAKEN_OVER) -> answer = OUTCOME_UNKNOWN
                :: else -> claimAgain(by, what, ORPHANED)
                fi
            :: r.status == FAILED ->
                if
                :: r.cool > 0 && redriven == 0 && !PLANTED(COOLDOWN_IGNORED) -> answer = COOLING_DOWN
                :: else -> claimAgain(by, what, AFTER_FAILURE)
                fi
            fi
        fi
    fi
}

/* RecordStateMachine.renew */
inline renew(by) {
    if
    :: THERE && r.owner == by && (OWNED || (PLANTED(LEASE_OF_A_RENEWAL_NOT_CHECKED) && r.status == PENDING)) ->
        r.lease = leaseTime;
        r.ttl = ttlTime;
        answer = RENEWED
    :: else -> answer = LOST
    fi
}

/* SlidingWindow.afterFailure */
inline countFailure() {
    if
    :: (r.opened && !PLANTED(TRIAL_FAILS_LIKE_ANY_OTHER)) || 1 + (r.younger > 0) + (r.older > 0) >= failures ->
        r.opened = 1;
        r.cool = cooldownTime;
        r.younger = 0;
        r.older = 0
    :: else ->
        r.older = r.younger;
        r.younger = windowTime;
        r.opened = 0;
        r.cool = 0
    fi
}

inline end(how) {
    if
    :: how == RELEASE -> forget()
    :: how == SUCCEED ->
        r.status = SUCCESS;
        r.ttl = ttlTime;
        r.younger = 0; r.older = 0; r.opened = 0; r.cool = 0;
        nextVersion()
    :: how == FAIL ->
        r.status = FAILED;
        countFailure();
        r.ttl = (r.cool > ttlTime -> r.cool : ttlTime);
        nextVersion()
    fi;
    r.lease = 0;
    answer = APPLIED
}

#define ENDED_AS(how) ((how == SUCCEED && r.status == SUCCESS) || (how == FAIL && r.status == FAILED))

/* RecordStateMachine.complete */
inline complete(by, how) {
    if
    :: THERE && r.status != PENDING && r.owner == by && ENDED_AS(how) && !PLANTED(OWN_END_NOT_RECOGNISED) -> answer = APPLIED
    :: THERE && (r.owner == by || PLANTED(OWNER_NOT_CHECKED)) && (OWNED
        || (PLANTED(LEASE_NOT_CHECKED) && r.status == PENDING)
        || (PLANTED(SUCCESS_OVERWRITTEN) && r.status == SUCCESS && how == FAIL)) -> end(how)
    :: else -> answer = STALE
    fi
}

/* RecordStateMachine.release, by an operator */
inline release(seen) {
    if
    :: !THERE -> answer = NOT_THERE
    :: THERE && (r.version != seen && !PLANTED(RELEASE_OF_ANY_VERSION) || r.status == SUCCESS && !PLANTED(SUCCESS_RELEASED)) ->
        answer = REFUSED
    :: else -> forget(); answer = RELEASED
    fi
}
