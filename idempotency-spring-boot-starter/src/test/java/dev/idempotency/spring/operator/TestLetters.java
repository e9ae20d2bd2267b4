// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.operator;

import dev.idempotency.deadletter.DeadLetterContent;
import dev.idempotency.deadletter.DeadLetterReason;
import dev.idempotency.deadletter.DeadLetterSummary;
import dev.idempotency.deadletter.ParkedRequest;
import dev.idempotency.deadletter.RequestSnapshot;
import dev.idempotency.key.Fingerprint;
import dev.idempotency.key.RecordKey;
import dev.idempotency.store.Payload;
import dev.idempotency.store.StoredResponse.Field;
import java.time.Instant;
import java.util.List;

/** Letters for tests. */
final class TestLetters {

    static final RecordKey KEY = RecordKey.builder("b").build();
    static final Fingerprint FINGERPRINT = Fingerprint.of(1, new byte[Fingerprint.DIGEST_BYTES]);

    private TestLetters() {}

    static ParkedRequest parked(String transport, RequestSnapshot request) {
        return new ParkedRequest(
                DeadLetterReason.BREAKER_OPENED,
                KEY,
                1,
                content(transport, request).encode());
    }

    static RequestSnapshot request(String method, String path, String query) {
        return new RequestSnapshot(
                method,
                path,
                query,
                List.of(new Field("X-Idempotency-Key", "K1"), new Field("Content-Length", "99")),
                Payload.of(new byte[] {'{', '}'}),
                true,
                "ann");
    }

    static DeadLetterContent content(String transport, RequestSnapshot request) {
        return new DeadLetterContent(transport, request, FINGERPRINT, 3, List.of(), List.of(), null, "", null);
    }

    static RedriveTicket ticket(String method, String path, String query) {
        RequestSnapshot request = request(method, path, query);
        return new RedriveTicket(
                DeadLetterSummary.parked(parked("http", request), Instant.EPOCH), content("http", request));
    }
}
