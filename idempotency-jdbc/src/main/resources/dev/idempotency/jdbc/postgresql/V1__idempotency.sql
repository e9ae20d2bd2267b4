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
    payload      BYTEA        NOT NULL,
    created_at   BIGINT       NOT NULL,
    updated_at   BIGINT       NOT NULL,
    expires_at   BIGINT       NOT NULL,
    PRIMARY KEY (record_key, biz_type, namespace)
);

CREATE INDEX ON idempotency_record (expires_at);
