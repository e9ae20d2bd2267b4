-- Times are microseconds since 1970 in UTC: FROM_UNIXTIME(expires_at / 1000000) shows one.
-- status: 0 pending, 1 success, 2 failed.
CREATE TABLE idempotency_record (
    record_key   BINARY(32)     NOT NULL,
    biz_type     VARCHAR(64)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    namespace    VARCHAR(200)   CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    format       SMALLINT       NOT NULL,
    status       SMALLINT       NOT NULL,
    version      BIGINT         NOT NULL,
    owner        VARBINARY(16)  NOT NULL,
    lease_end    BIGINT         NOT NULL,
    algorithm    INTEGER        NOT NULL,
    fingerprint  VARBINARY(32)  NOT NULL,
    attempts     INTEGER        NOT NULL,
    failures     VARBINARY(400) NOT NULL,
    cooled_until BIGINT,
    cooldown     BIGINT,
    payload      LONGBLOB       NOT NULL,
    created_at   BIGINT         NOT NULL,
    updated_at   BIGINT         NOT NULL,
    expires_at   BIGINT         NOT NULL,
    PRIMARY KEY (record_key, biz_type, namespace),
    INDEX (expires_at)
) ENGINE = InnoDB;

-- One row for each namespace; whoever parks a letter has it locked.
CREATE TABLE idempotency_dead_letter_queue (
    namespace     VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
    last_position BIGINT NOT NULL
) ENGINE = InnoDB;

-- state: 0 open, 1 being redriven (open again after lease_end), 2 redriven, 3 discarded.
CREATE TABLE idempotency_dead_letter (
    namespace      VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    id             VARCHAR(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    queue_position BIGINT NOT NULL,
    reason         VARCHAR(40) NOT NULL,
    biz_type       VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    record_key     BINARY(32) NOT NULL,
    version        BIGINT NOT NULL,
    content        LONGBLOB NOT NULL,
    content_bytes  INTEGER NOT NULL,
    occurrences    BIGINT NOT NULL,
    first_seen     BIGINT NOT NULL,
    last_seen      BIGINT NOT NULL,
    state          SMALLINT NOT NULL,
    changed_at     BIGINT NOT NULL,
    redrives       INTEGER NOT NULL,
    owner          VARBINARY(16),
    lease_end      BIGINT,
    operator_name  VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    note           VARCHAR(1000) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    outcome        VARCHAR(40),
    outcome_status INTEGER NOT NULL,
    PRIMARY KEY (namespace, id),
    UNIQUE (namespace, queue_position)
) ENGINE = InnoDB;

-- How bizTypes stand whose breaker is on; one row for each that had failures of late.
CREATE TABLE idempotency_route (
    namespace VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    biz_type  VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    state     VARBINARY(16384) NOT NULL,
    PRIMARY KEY (namespace, biz_type)
) ENGINE = InnoDB;
