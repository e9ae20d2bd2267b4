// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.problem;

/** Why a request was not run: stable type, HTTP status and title of each problem (RFC 9457). */
public enum ProblemType {
    KEY_MISSING("key-missing", 400, "Idempotency key is missing"),
    KEY_INVALID("key-invalid", 400, "Idempotency key is invalid"),
    KEY_REUSED("key-reused", 422, "Idempotency key was used for another request"),
    IN_PROGRESS("in-progress", 409, "The first request is still being processed"),
    ALREADY_PROCESSED("already-processed", 409, "The request has already been processed"),
    COOLING_DOWN("cooling-down", 503, "Such requests failed too often"),
    OUTCOME_UNKNOWN("outcome-unknown", 409, "The outcome of the first request is unknown"),
    RESULT_UNAVAILABLE("result-unavailable", 409, "The first answer cannot be given again"),
    BODY_TOO_LARGE("body-too-large", 413, "The request body is too large"),
    SIGNATURE_INVALID("signature-invalid", 401, "The sender could not be verified"),
    VERIFICATION_UNAVAILABLE("verification-unavailable", 503, "Senders cannot be verified at the moment"),
    STORE_UNAVAILABLE("store-unavailable", 503, "Idempotency cannot be guaranteed at the moment"),
    REDRIVE_REFUSED("redrive-refused", 403, "The request is no valid redrive");

    private final String code;
    private final int status;
    private final String title;

    ProblemType(String code, int status, String title) {
        this.code = code;
        this.status = status;
        this.title = title;
    }

    /** Last part of the type URI, such as {@code in-progress}. */
    public String code() {
        return code;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }
}
