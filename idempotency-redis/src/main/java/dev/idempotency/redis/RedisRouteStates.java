// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.store.Payload;
import dev.idempotency.store.RouteStates;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/** States of routes in one hash for all bizTypes of a namespace. */
final class RedisRouteStates implements RouteStates {

    private static final Script READ = Script.loadForRoutes("read");
    private static final Script REPLACE = Script.loadForRoutes("replace");
    private static final byte[] RETENTION_MILLIS = Arguments.text(Long.toString(RETENTION.toMillis()));

    private final ScriptRunner scripts;
    private final byte[] key;

    RedisRouteStates(ScriptRunner scripts, String key) {
        this.scripts = scripts;
        this.key = key.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Seen read() {
        Reply reply = scripts.run(READ, key);
        Map<String, Payload> states = new HashMap<>();
        for (int i = 2; i < reply.size(); i += 2) {
            states.put(reply.word(i), Payload.of(reply.bytes(i + 1)));
        }
        return new Seen(Instant.EPOCH.plus(Long.parseLong(reply.word(1)), ChronoUnit.MICROS), states);
    }

    @Override
    public boolean replace(String bizType, Payload seen, Payload next) {
        Reply reply = scripts.run(REPLACE, key, Arguments.text(bizType), seen.bytes(), next.bytes(), RETENTION_MILLIS);
        return switch (reply.word(0)) {
            case "replaced" -> true;
            case "changed" -> false;
            default -> throw reply.notUnderstood();
        };
    }
}
