// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances that are killed or paused while a handler runs: rows C55 and C56. */
class ProcessContractIT {

    @TempDir
    private Path directory;

    private Path effects;

    @BeforeEach
    void noEffectsYet() throws IOException {
        effects = Files.createFile(directory.resolve("effects"));
    }

    private long count(String note) {
        try {
            return Files.readAllLines(effects).stream().filter(note::equals).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A shared store keeps the claim until its lease is over; the memory of a process ends with it. */
    @Test
    void aClaimOutlivesItsKilledOwnerByItsLeaseAtMost() throws Exception {
        String note = HttpContract.fresh();
        try (ServerProcess killed = ServerProcess.start(directory, effects);
                ServerProcess other = ServerProcess.start(directory, effects)) {
            CompletableFuture<Answer> broken = send(killed.http(), note, "hang");
            await().until(() -> count(note) == 1);
            killed.kill();
            await().until(broken::isCompletedExceptionally);

            if (Stores.isShared()) {
                Answer first = await().until(
                                () -> send(other.http(), note, "200").join(), answer -> {
                                    if (answer.status() == 409) {
                                        answer.isProblem(409, "in-progress").hasRetryAfter();
                                    }
                                    return answer.status() == 200;
                                });
                send(other.http(), note, "200").join().replays(first.isFirst(200));
            } else {
                send(other.http(), note, "200").join().isFirst(200);
            }
            assertThat(count(note)).isEqualTo(2);
        }
    }

    @Test
    void anOwnerPausedBeyondItsLeaseAnswersItsClientButChangesNoRecord() throws Exception {
        String note = HttpContract.fresh();
        try (ServerProcess paused = ServerProcess.start(directory, effects);
                ServerProcess other = ServerProcess.start(directory, effects)) {
            CompletableFuture<Answer> late = send(paused.http(), note, "pause-2s");
            await().until(() -> count(note) == 1);
            paused.pause();

            Answer successor =
                    await().until(() -> send(other.http(), note, "200").join(), answer -> answer.status() == 200);
            paused.resume();

            assertThat(late.join().isFirst(200).text()).isNotEqualTo(successor.text());
            if (Stores.isShared()) {
                assertThat(metric(paused.http(), "idempotency.stale.completions"))
                        .contains("\"value\":1.0");
                send(paused.http(), note, "200").join().replays(successor);
            }
            assertThat(count(note)).isEqualTo(2);
        }
    }

    private static CompletableFuture<Answer> send(HttpTarget target, String note, String script) {
        return target.post("/short-lease").key(note).script(script).note(note).sendLater();
    }

    private static String metric(HttpTarget target, String name) {
        return target.call("GET", "/actuator/metrics/" + name).send().text();
    }
}
