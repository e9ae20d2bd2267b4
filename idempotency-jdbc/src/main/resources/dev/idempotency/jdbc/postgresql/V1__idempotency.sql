-- Times are microseconds since 1970 in UTC: to_timestamp(expires_at / 1000000.0) shows one.
-- status: 0 pending, 1 success, 2 failed.
CREATE TABLE idempotency_record (
    record_key   BYTEA        NOT NULL,
    biz_type     VARCHAR(64)  COLLATE "C" NOT NULL,
    namespace    VARCHAR(200) COLLATE "C" NOT NULL,
    format       SMALLINT     NOT NULL,
    status       SMALLINT     NOT NULL,
    version      BIGINT       NOT NULL,
    owner        BYTEA        NOT NULL,
    lease_end    BIGINT       NOT NULL,
    algorithm    INTEGER      NOT NULL,
    fingerprint  BYTEA        NOT NULL,
    attempts     INTEGER      NOT NULL,
    failures     BYTEA        NOT NULL,
    cooled_until BIGINT,
    cooldown     BIGINT,
    payload      BYTEA        NOT NULL,
    created_at   BIGINT       NOT NULL,
    updated_at   BIGINT       NOT NULL,
    expires_at   BIGINT       NOT NULL,
    PRIMARY KEY (record_key, biz_type, namespace)
);

CREATE INDEX ON idempotency_record (expires_at);

-- One row for each namespace; whoever parks a letter has it locked.
CREATE TABLE idempotency_dead_letter_queue (
    namespace     VARCHAR(200) COLLATE "C" NOT NULL PRIMARY KEY,
    last_position BIGINT NOT NULL
);

-- state: 0 open, 1 being redriven (open again after lease_end), 2 redriven, 3 discarded.
CREATE TABLE idempotency_dead_letter (
    namespace      VARCHAR(200) COLLATE "C" NOT NULL,
    id             VARCHAR(160) COLLATE "C" NOT NULL,
    queue_position BIGINT NOT NULL,
    reason         VARCHAR(40) NOT NULL,
    biz_type       VARCHAR(64) COLLATE "C" NOT NULL,
    record_key     BYTEA NOT NULL,
    version        BIGINT NOT NULL,
    content        BYTEA NOT NULL,
    content_bytes  INTEGER NOT NULL,
    occurrences    BIGINT NOT NULL,
    first_seen     BIGINT NOT NULL,
    last_seen      BIGINT NOT NULL,
    state          SMALLINT NOT NULL,
    changed_at     BIGINT NOT NULL,
    redrives       INTEGER NOT NULL,
    owner          BYTEA,
    lease_end      BIGINT,
    operator_name  VARCHAR(200) COLLATE "C" NOT NULL,
    note           VARCHAR(1000) COLLATE "C" NOT NULL,
    outcome        VARCHAR(40),
    outcome_status INTEGER NOT NULL,
    PRIMARY KEY (namespace, id),
    UNIQUE (namespace, queue_position)
);

-- How bizTypes stand whose breaker is on; one row for each that had failures of late.
CREATE TABLE idempotency_route (
    namespace VARCHAR(200) COLLATE "C" NOT NULL,
    biz_type  VARCHAR(64) COLLATE "C" NOT NULL,
    state     BYTEA NOT NULL,
    PRIMARY KEY (namespace, biz_type)
);
