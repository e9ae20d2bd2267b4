/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Random walks of one record, printed step by step with what the store must answer and what the record then is. Spin draws
 * them from a seed, so that the same seed always gives the same walks.
 */

#define LEASE 1
#define TTL 1
#define WINDOW 1
#define COOLDOWN 1
#define FAILURES 2
#define MOST_ATTEMPTS 255

#include "record.pml"

#ifndef TRACES
#define TRACES 10
#endif
#ifndef STEPS
#define STEPS 14
#endif
#define TICKS 4

short traces;
byte steps;
byte ticks;
byte by;
byte what;
bit uncertainly;
byte about;

inline draw(into, one, two, three) {
    if
    :: into = one
    :: into = two
    :: into = three
    fi
}

inline shown() {
    if
    :: THERE -> printf(" | %e %d %d %d %d %d\n", r.status, r.owner, r.version, r.attempts, r.content, r.opened)
    :: else -> printf(" | ABSENT\n")
    fi
}

inline policy() {
    draw(leaseTime, 1, 1, 2);
    draw(ttlTime, leaseTime, leaseTime + 1, 3);
    draw(failures, 1, 2, 3);
    draw(windowTime, 1, 2, 3);
    draw(cooldownTime, 1, 2, 3);
    printf("trace %d %d %d %d %d\n", leaseTime, ttlTime, failures, windowTime, cooldownTime)
}

/* Mostly who owns the record; otherwise one of three, each of whom has one token. */
inline somebody() {
    by = 0;
    if
    :: by = r.owner
    :: by = r.owner
    :: draw(by, 1, 2, 3)
    fi;
    if
    :: by == 0 -> by = 1
    :: else
    fi
}

/* The record's version, the one before it, or none. */
inline someVersion() {
    draw(about, r.version, r.version, instant - (instant > 0))
}

inline claims() {
    draw(by, 1, 2, 3);
    if
    :: what = 1
    :: what = 1
    :: what = 1
    :: what = 2
    fi;
    if
    :: uncertainly = 0
    :: uncertainly = 1
    fi;
    if
    :: about = 0
    :: about = 0
    :: someVersion()
    fi;
    claim(by, what, uncertainly, about);
    printf("claim %d %d %d %d > %e %e", by, what, uncertainly, about, answer, previous);
    shown()
}

inline completes(how) {
    somebody();
    complete(by, how);
    printf("complete %d %e > %e %d", by, how, answer, answer == APPLIED && how == FAIL && r.cool > 0);
    shown()
}

inline passes() {
    if
    :: ticks < TICKS && THERE -> ticks++; tickRecord(); printf("tick"); shown()
    :: else -> claims()
    fi
}

inline step() {
    if
    :: claims()
    :: claims()
    :: claims()
    :: OWNED -> completes(FAIL)
    :: OWNED -> completes(FAIL)
    :: OWNED -> completes(FAIL)
    :: OWNED -> completes(FAIL)
    :: OWNED -> completes(SUCCEED)
    :: r.status != ABSENT -> completes(FAIL)
    :: r.status == SUCCESS -> completes(SUCCEED)
    :: r.status == PENDING -> completes(RELEASE)
    :: r.status == PENDING -> somebody(); renew(by); printf("renew %d > %e", by, answer); shown()
    :: instant > 0 && steps % 3 == 0 -> someVersion(); release(about); printf("release %d > %e", about, answer); shown()
    :: passes()
    :: passes()
    :: passes()
    fi
}

init {
    do
    :: traces < TRACES ->
        traces++;
        steps = 0;
        ticks = 0;
        instant = 0;
        forget();
        policy();
        do
        :: steps < STEPS -> steps++; step()
        :: else -> break
        od
    :: else -> break
    od
}
