// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** What contract tests share: two instances on one store (one instance, if the store is not shared), and fresh names. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HttpContract {

    private Server first;
    private Server second;

    @BeforeAll
    void start() {
        first = Server.start(properties().toArray(new String[0]));
    }

    @AfterAll
    void stop() {
        first.close();
        if (second != null) {
            second.close();
        }
    }

    /** Properties of both instances. */
    List<String> properties() {
        return List.of();
    }

    Server server() {
        return first;
    }

    /** The other instance, started when it is first asked for; the same one, if the store is not shared. */
    synchronized Server otherServer() {
        if (!Stores.isShared()) {
            return first;
        }
        if (second == null) {
            second = Server.start(properties().toArray(new String[0]));
        }
        return second;
    }

    HttpTarget http() {
        return first.http();
    }

    HttpTarget otherHttp() {
        return otherServer().http();
    }

    /** A key or a note that no other test has. */
    static String fresh() {
        return UUID.randomUUID().toString();
    }

    static void assertEffects(String note, int count) {
        assertThat(Effects.count(note)).as("effects of " + note).isEqualTo(count);
    }

    static void awaitEffects(String note, int count) {
        await().until(() -> Effects.count(note) == count);
    }
}
