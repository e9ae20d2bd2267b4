/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Everything that can happen to one operation: calls on any nodes, a network that loses, delays and repeats messages,
 * processes that stand still or die, a clock that ticks whenever it likes, operators, a store that forgets.
 * IdempotencyCoordinator, Claims, Execution, Ownership and LeaseKeeper in Promela.
 *
 * A process that dies takes no further step. As every state is looked at with every process standing still from there on,
 * only a transaction, which the database ends then, has a step for it.
 */

#ifndef CALLS
#define CALLS 3
#endif
#ifndef LEASE
#define LEASE 1
#endif
#ifndef TTL
#define TTL 2
#endif
#ifndef WINDOW
#define WINDOW 1
#endif
#ifndef COOLDOWN
#define COOLDOWN 1
#endif
#ifndef FAILURES
#define FAILURES 2
#endif

/* What happens, off unless asked for with -D...=1. */
#ifndef UNCERTAIN
#define UNCERTAIN 0 /* on-orphan: uncertain */
#endif
#ifndef TRANSACTIONAL
#define TRANSACTIONAL 0
#endif
#ifndef FAIL_OPEN
#define FAIL_OPEN 0 /* store-failure: open */
#endif
#ifndef NETWORK
#define NETWORK 0 /* messages are lost, late and repeated */
#endif
#ifndef OPERATOR
#define OPERATOR 0 /* somebody releases a record, and the last call is a redrive */
#endif
#ifndef OTHER_CONTENT
#define OTHER_CONTENT 0 /* the last call sends other content under the same key */
#endif
#ifndef REPORTED
#define REPORTED 1 /* whether one more effect is allowed for each report of a take-over and the like */
#endif
#ifndef FORGETS
#define FORGETS 0 /* the store loses its data once */
#endif

/* The properties; -DPROPERTIES=... checks some of them. */
#define ONE_CLAIM 1
#define NOTHING_STALE 2
#define SUCCESS_STAYS 4
#define VERSION_GROWS 8
#define COOLED 16
#define SAME_CONTENT 32
#define NEVER_STUCK 64
#define TOLD_TRULY 128
#define EFFECTS 256
#ifndef PROPERTIES
#define PROPERTIES 511
#endif
#define check(property, holds) assert(!((PROPERTIES) & property) || (holds))

/* No property is about the number of attempts. */
#define MOST_ATTEMPTS 1

#include "record.pml"

#define CONTENT(call) (OTHER_CONTENT && call == CALLS -> 2 : 1)
#define STRANGER 15
#define MOST (CALLS + 1)

/* What really happened, which no store and no node knows. */
byte held[MOST]; /* how long the store has promised the claim to a call */
byte newest; /* the highest version so far */
byte allowed = 1; /* how many more effects would be no surprise before the ttl is over: one, and one per report */
bit current[MOST]; /* the call's claim is younger than the end of the record's latest ttl */
bit effect[MOST]; /* the call's effect has happened */

byte arrived; /* calls are numbered in the order in which they come */
byte locked; /* the call whose transaction holds the record's row */

/* The record before a step. */
hidden mtype wasStatus;
hidden byte wasVersion;
hidden byte wasOwner;
hidden byte wasTtl;
hidden byte wasCool;
hidden byte wasContent;
hidden byte wasOpened;
hidden byte changed;
hidden byte over;
hidden byte i;

inline before() {
    wasStatus = (THERE -> r.status : ABSENT);
    wasVersion = r.version; wasOwner = r.owner; wasTtl = r.ttl; wasCool = r.cool; wasContent = r.content;
    wasOpened = r.opened
}

inline after() {
    check(SUCCESS_STAYS, wasStatus != SUCCESS || (r.status == SUCCESS && r.version == wasVersion && r.ttl == wasTtl));
    if
    :: r.status != ABSENT && r.version != wasVersion ->
        check(VERSION_GROWS, r.version > newest);
        newest = r.version;
        changed = 1
    :: else -> changed = 0
    fi;
    if
    :: !OPERATOR && r.version == newest ->
        r.version = 1; newest = 1; instant = 1 /* fewer states, as only the order of versions matters */
    :: else
    fi
}

/* One more effect has been explained to somebody; where effect and record are one transaction there is none to explain. */
inline reported() {
    if
    :: REPORTED && !TRANSACTIONAL -> allowed++
    :: else
    fi
}

/* A call is told that it owns the operation. */
inline granted(me, redriven) {
    if
    :: held[me] > 0 -> check(VERSION_GROWS, !changed)
    :: else ->
        check(VERSION_GROWS, changed);
        check(COOLED, wasStatus != FAILED || wasCool == 0 || redriven);
        check(SAME_CONTENT, wasStatus == ABSENT || wasContent == CONTENT(me));
        held[me] = leaseTime;
        current[me] = current[me] || !effect[me];
        if
        :: previous == ORPHANED && (!UNCERTAIN || redriven == wasVersion) -> reported()
        :: else
        fi;
        i = 1;
        do
        :: i <= CALLS -> check(ONE_CLAIM, i == me || held[i] == 0); i++
        :: else -> break
        od
    fi
}

inline claimBy(me, redriven) {
    before();
    claim(me, CONTENT(me), UNCERTAIN, redriven);
    printf("call %d: claim -> %e\n", me, answer);
    after();
    if
    :: answer == CLAIMED -> granted(me, redriven)
    :: else
    fi
}

inline renewBy(me) {
    before();
    renew(me);
    printf("call %d: renew -> %e\n", me, answer);
    after();
    if
    :: answer == RENEWED -> check(NOTHING_STALE, held[me] > 0); held[me] = leaseTime
    :: else
    fi
}

inline completeBy(me, how) {
    before();
    complete(me, how);
    printf("call %d: complete(%e) -> %e\n", me, how, answer);
    after();
    if
    :: answer == APPLIED && wasStatus == PENDING ->
        check(NOTHING_STALE, held[me] > 0);
        check(COOLED, how != FAIL || !wasOpened || r.cool > 0);
        held[me] = 0
    :: answer == APPLIED && wasStatus != PENDING -> check(TOLD_TRULY, wasOwner == me && ENDED_AS(how))
    :: else -> check(TOLD_TRULY, !(THERE && r.owner == me && ENDED_AS(how)))
    fi;
    check(TOLD_TRULY, r.status != SUCCESS || effect[r.owner])
}

inline toldOfNoEffect(me) {
    check(TOLD_TRULY, !effect[me] || !current[me])
}

inline effectOf(me) {
    printf("call %d: has its effect\n", me);
    check(EFFECTS, allowed > 0 || !current[me]);
    if
    :: current[me] -> less(allowed)
    :: else
    fi;
    effect[me] = 1
}

mtype = { NEW, LOOKED, UNANSWERED, RUNNING, COMMITTING, ENDING, ASKING, OVER };

#define FREE (locked == 0)
#define ARRIVES (phase == NEW && arrived == me - 1)

inline heard() {
    if
    :: answer == CLAIMED -> phase = RUNNING
    :: else -> phase = OVER; redriven = 0
    fi
}

inline finished() {
    phase = OVER;
    current[me] = 0;
    redriven = 0;
    if
    :: !NETWORK -> ending = NO_END
    :: else
    fi
}

inline commit() {
    before();
    printf("call %d: commit\n", me);
    effectOf(me);
    end(SUCCEED);
    locked = 0;
    held[me] = 0;
    after()
}

/* One delivery: IdempotencyCoordinator.begin, the handler, Execution. */
proctype Call(byte me) {
    mtype phase = NEW;
    mtype ending = NO_END;
    byte redriven;
    bit again;

    do
    :: d_step { ARRIVES && FREE && !(OPERATOR && me == CALLS) && !PLANTED(LOOKS_THEN_CLAIMS) ->
        arrived++;
        claimBy(me, 0);
        heard()
    }
    :: d_step { ARRIVES && NETWORK && !(OPERATOR && me == CALLS) ->
        printf("call %d: claim, lost or on its way\n", me);
        arrived++;
        phase = UNANSWERED
    }

    /* A redrive is about a version that somebody has seen before. */
    :: d_step { OPERATOR && me == CALLS && ARRIVES && THERE -> arrived++; redriven = r.version; phase = LOOKED }
    :: d_step { OPERATOR && phase == LOOKED && FREE -> claimBy(me, redriven); heard() }

    :: d_step { PLANTED(LOOKS_THEN_CLAIMS) && ARRIVES ->
        arrived++;
        phase = (THERE && (OWNED || r.status == SUCCESS) -> OVER : LOOKED)
    }
    :: d_step { PLANTED(LOOKS_THEN_CLAIMS) && phase == LOOKED ->
        before(); begin(me, 1); after(); granted(me, 0); heard()
    }

    /* No reply: the driver asks again, or Claims gives up and releases later what may have been claimed. */
    :: d_step { phase == UNANSWERED && FREE -> claimBy(me, redriven); heard() }
    :: d_step { phase == UNANSWERED && !PLANTED(UNANSWERED_CLAIM_RUNS) ->
        if
        :: FAIL_OPEN -> reported(); current[me] = 1; effectOf(me)
        :: else
        fi;
        ending = RELEASE;
        phase = OVER
    }
    :: d_step { phase == UNANSWERED && PLANTED(UNANSWERED_CLAIM_RUNS) -> phase = RUNNING; current[me] = 1 }

    /* A copy of the claim arrives late, and nobody hears the answer. */
    :: d_step { NETWORK && !again && phase != NEW && phase != LOOKED && FREE ->
        printf("call %d: a copy arrives, nobody hears the reply\n", me);
        again = 1;
        claimBy(me, redriven)
    }

    /* LeaseKeeper, if it gets to it. */
    :: d_step { (phase == RUNNING || phase == ENDING) && FREE -> renewBy(me) }

    /* The handler refuses, fails, or has its effect. */
    :: d_step { phase == RUNNING -> ending = RELEASE; phase = ENDING }
    :: d_step { phase == RUNNING -> ending = FAIL; phase = ENDING }
    :: d_step { phase == RUNNING && !TRANSACTIONAL && !PLANTED(END_BEFORE_THE_EFFECT) ->
        effectOf(me);
        ending = SUCCEED;
        phase = ENDING
    }
    :: d_step { phase == RUNNING && PLANTED(END_BEFORE_THE_EFFECT) -> ending = SUCCEED; phase = ENDING }

    /* Ownership.end and its DelayedEnd: until there is a reply, or no point in asking. */
    :: d_step { phase == ENDING && FREE ->
        completeBy(me, ending);
        if
        :: TRANSACTIONAL && ending == FAIL && answer == APPLIED -> toldOfNoEffect(me); finished()
        :: TRANSACTIONAL && ending == FAIL && answer == STALE -> phase = ASKING
        :: else -> finished()
        fi
    }
    :: d_step { NETWORK && phase == ENDING && !PLANTED(UNANSWERED_END_RUNS_AGAIN) -> finished() }
    :: d_step { NETWORK && phase == ENDING && PLANTED(UNANSWERED_END_RUNS_AGAIN) -> phase = RUNNING }

    /* A copy of the end arrives, and nobody hears the answer. */
    :: d_step { NETWORK && (phase == ENDING || phase == OVER) && ending != NO_END && FREE ->
        printf("call %d: a copy arrives, nobody hears the reply\n", me);
        completeBy(me, ending)
    }

    /* Execution.completeInTransaction, then the commit. */
    :: d_step { TRANSACTIONAL && phase == RUNNING && FREE ->
        if
        :: THERE && OWNED && r.owner == me ->
            check(NOTHING_STALE, held[me] > 0);
            locked = (PLANTED(ROW_NOT_LOCKED) -> 0 : me);
            phase = COMMITTING
        :: else ->
            if
            :: PLANTED(STALE_COMMITTED) -> effectOf(me)
            :: else
            fi;
            finished()
        fi
    }
    :: d_step { phase == COMMITTING -> commit(); finished() }
    :: d_step { phase == COMMITTING && NETWORK -> commit(); ending = FAIL; phase = ENDING }
    :: d_step { phase == COMMITTING -> locked = 0; ending = FAIL; phase = ENDING }
    :: d_step { phase == COMMITTING -> locked = 0; finished() }

    /* Ownership.wasCommitted */
    :: d_step { phase == ASKING && FREE ->
        if
        :: THERE && r.status == SUCCESS && r.owner == me && !PLANTED(UNKNOWN_COMMIT_TAKEN_FOR_FAILED) ->
            check(TOLD_TRULY, effect[me])
        :: else -> toldOfNoEffect(me)
        fi;
        finished()
    }
    :: d_step { NETWORK && phase == ASKING -> finished() }
    od
}

/* The store's clock, its sweeper, and what befalls it. */
proctype Store() {
    bit forgot;

    do
    :: d_step {
        if
        :: r.status != ABSENT && r.ttl == 1 && !PLANTED(LEASE_NEVER_ENDS) -> over = 1; allowed = 1
        :: else -> over = 0
        fi;
        printf("tick\n");
        tickRecord();
        i = 1;
        do
        :: i <= CALLS -> less(held[i]); current[i] = current[i] && !over; i++
        :: else -> break
        od
    }
    :: d_step { r.status != ABSENT && r.ttl == 0 && FREE -> forget() }
    :: d_step { FORGETS && !forgot && r.status != ABSENT ->
        printf("the store forgets\n");
        forgot = 1;
        forget()
    }
    od
}

/* Somebody looks at the record, and releases what was seen some time later. */
proctype Operator() {
    byte seen;

    d_step { THERE -> seen = r.version };
    d_step { FREE ->
        before();
        release(seen);
        printf("operator: release -> %e\n", answer);
        if
        :: answer == RELEASED ->
            check(NOTHING_STALE, wasVersion == seen);
            held[wasOwner] = 0;
            reported()
        :: else
        fi;
        after();
        seen = 0
    }
}

hidden Record saved;
hidden byte savedInstant;
hidden byte waited;

inline copy(to, from) {
    to.status = from.status; to.version = from.version; to.owner = from.owner; to.content = from.content;
    to.attempts = from.attempts; to.lease = from.lease; to.ttl = from.ttl; to.younger = from.younger;
    to.older = from.older; to.opened = from.opened; to.cool = from.cool
}

/*
 * From here on nobody but one more caller does anything: it owns the operation or has its answer once the lease and the
 * cool-down are over, at the latest, and owns it when the record's ttl is. Changes nothing.
 */
proctype Patient() {
    do
    :: d_step { FREE ->
        copy(saved, r);
        savedInstant = instant;
        waited = 0;
        do
        :: true ->
            wasContent = (THERE -> r.content : 1);
            claim(STRANGER, wasContent, UNCERTAIN, 0);
            if
            :: answer == CLAIMED || waited > 20 -> break
            :: else
            fi;
            check(NEVER_STUCK, answer == COMPLETED || (UNCERTAIN && answer == OUTCOME_UNKNOWN)
                || (answer == IN_PROGRESS && waited < leaseTime) || (answer == COOLING_DOWN && waited < cooldownTime));
            tickRecord();
            waited++
        od;
        check(NEVER_STUCK, waited <= (ttlTime > cooldownTime -> ttlTime : cooldownTime));
        instant = savedInstant;
        copy(r, saved)
    }
    od
}

init {
    atomic {
        forget();
        i = 1;
        do
        :: i <= CALLS -> run Call(i); i++
        :: else -> break
        od;
        run Store();
        run Patient();
        if
        :: OPERATOR -> run Operator()
        :: else
        fi
    }
}
