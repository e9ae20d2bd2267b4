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
    payload      LONGBLOB       NOT NULL,
    created_at   BIGINT         NOT NULL,
    updated_at   BIGINT         NOT NULL,
    expires_at   BIGINT         NOT NULL,
    PRIMARY KEY (record_key, biz_type, namespace),
    INDEX (expires_at)
) ENGINE = InnoDB;
