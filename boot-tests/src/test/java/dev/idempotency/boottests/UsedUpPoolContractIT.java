// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** The application has all connections of its own pool in use. */
class UsedUpPoolContractIT extends HttpContract {

    private static final int POOL = 2;
    private static final Duration LEASE = Duration.ofSeconds(4);

    @Override
    List<String> properties() {
        List<String> properties = new ArrayList<>(Stores.databaseProperties());
        properties.add("transactional=true");
        properties.add("spring.datasource.hikari.maximum-pool-size=" + POOL);
        for (String bizType : List.of("transactional", "own_transaction", "transactional_method")) {
            properties.add("idempotency.biz-types." + bizType + ".timeout=" + LEASE.toSeconds() + "s");
        }
        return properties;
    }

    private CompletableFuture<Answer> post(String path, String note, String step) {
        String key = fresh();
        return CompletableFuture.supplyAsync(
                () -> http().post(path).key(key).script(step).note(note).send(), Effects.BACKGROUND);
    }

    private void assertRows(String note, int count) {
        assertThat(server().bean(JdbcTemplate.class)
                        .queryForObject("SELECT COUNT(*) FROM effect WHERE note = ?", Integer.class, note))
                .as("rows of " + note)
                .isEqualTo(count);
    }

    /** Two have the connections for longer than a lease; the others wait for them. */
    @Test
    void leasesAreKeptAndEachEffectHappensOnce() {
        String joined = fresh();
        String own = fresh();
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        answers.add(post("/transactional", joined, "gate"));
        answers.add(post("/own-transaction", own, "gate"));
        awaitEffects(joined, 1);
        awaitEffects(own, 1);
        long start = System.nanoTime();
        for (int i = 0; i < 4; i++) {
            answers.add(post("/transactional", joined, "gate"));
            answers.add(post("/own-transaction", own, "gate"));
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> System.nanoTime() - start > LEASE.toNanos() * 3 / 2);
        assertEffects(joined, 1);
        Effects.openGate(joined);
        Effects.openGate(own);
        for (CompletableFuture<Answer> answer : answers) {
            answer.join().isFirst(200);
        }
        for (String note : List.of(joined, own)) {
            assertEffects(note, 5);
            assertRows(note, 5);
        }
    }

    /** As many as the pool has connections hold one each, and only then need to be claimed. */
    @Test
    void aCallWithinATransactionNeedsNoSecondConnection() {
        List<String> notes = new ArrayList<>();
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < POOL; i++) {
            String note = fresh();
            notes.add(note);
            answers.add(post("/transactional-method", note, "surrounded-gate"));
        }
        notes.forEach(note -> awaitEffects("within " + note, 1));
        notes.forEach(Effects::openGate);
        for (CompletableFuture<Answer> answer : answers) {
            assertThat(answer.join().status()).isEqualTo(200);
        }
        for (String note : notes) {
            assertEffects(note, 1);
            assertRows(note, 1);
        }
    }
}
