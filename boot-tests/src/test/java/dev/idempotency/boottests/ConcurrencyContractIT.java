// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Repeats at the same time, and owners that went silent: rows C43, C51 to C58. */
class ConcurrencyContractIT extends HttpContract {

    @AfterEach
    void storeWorksAgain() {
        server().store().loseRenewals(false);
        server().store().silenceCompletions(false);
    }

    @Test
    void fiftyEqualRequestsAtOnceRunOnce() {
        String note = fresh();
        String key = fresh();
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            HttpTarget target = i % 2 == 0 ? http() : otherHttp();
            sent.add(target.post("/scripted").key(key).script("gate").note(note).sendLater());
        }
        await().until(() -> sent.stream().filter(CompletableFuture::isDone).count() == 49);
        Effects.openGate(note);

        List<Answer> answers = sent.stream().map(CompletableFuture::join).toList();
        Answer first = answers.stream()
                .filter(answer -> answer.status() == 200)
                .findAny()
                .orElseThrow();
        answers.stream()
                .filter(answer -> answer != first)
                .forEach(answer -> answer.isProblem(409, "in-progress").hasRetryAfter());
        otherHttp().post("/scripted").key(key).script("gate").note(note).send().replays(first);
        assertEffects(note, 1);
    }

    @Test
    void manyKeysWithRepeatsInParallelRunOnceEach() {
        List<String> notes = new ArrayList<>();
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String note = fresh();
            notes.add(note);
            for (int repeat = 0; repeat < 8; repeat++) {
                HttpTarget target = repeat % 2 == 0 ? http() : otherHttp();
                sent.add(target.post("/scripted")
                        .key(note)
                        .script("200")
                        .note(note)
                        .sendLater());
            }
        }

        sent.forEach(answer -> assertThat(answer.join().status()).isIn(200, 409));
        notes.forEach(note -> assertEffects(note, 1));
    }

    @Test
    void waitingRepeatsGetTheFirstAnswer() {
        String note = fresh();
        String key = fresh();
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            HttpTarget target = i % 2 == 0 ? http() : otherHttp();
            sent.add(target.post("/waiting").key(key).script("gate").note(note).sendLater());
        }
        awaitEffects(note, 1);
        Effects.openGate(note);

        List<Answer> answers = sent.stream().map(CompletableFuture::join).toList();
        Answer first = answers.stream()
                .filter(answer -> answer.header(Answer.MARK) == null)
                .findAny()
                .orElseThrow();
        answers.stream().filter(answer -> answer != first).forEach(answer -> answer.replays(first));
        assertEffects(note, 1);
    }

    @Test
    void whenTheFirstFailsExactlyOneWaiterTakesOver() {
        String note = fresh();
        String key = fresh();
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        sent.add(http().post("/waiting")
                .key(key)
                .script("throw-after-gate,200")
                .note(note)
                .sendLater());
        awaitEffects(note, 1);
        for (int i = 0; i < 10; i++) {
            HttpTarget target = i % 2 == 0 ? http() : otherHttp();
            sent.add(target.post("/waiting")
                    .key(key)
                    .script("throw-after-gate,200")
                    .note(note)
                    .sendLater());
        }
        Effects.openGate(note);

        List<Answer> answers = sent.stream().map(CompletableFuture::join).toList();
        answers.get(0).isFirst(500);
        Answer first = answers.stream()
                .filter(answer -> answer.status() == 200 && answer.header(Answer.MARK) == null)
                .findAny()
                .orElseThrow();
        answers.stream().skip(1).filter(answer -> answer != first).forEach(answer -> answer.replays(first));
        assertEffects(note, 2);
    }

    @Test
    void patienceEndsWithARefusal() {
        String note = fresh();
        String key = fresh();
        CompletableFuture<Answer> first =
                http().post("/waiting").key(key).script("gate").note(note).sendLater();
        awaitEffects(note, 1);

        http().post("/waiting")
                .key(key)
                .script("gate")
                .note(note)
                .send()
                .isProblem(409, "in-progress")
                .hasRetryAfter();
        otherHttp().post("/waiting").key(key).script("gate").note(note).send().isProblem(409, "in-progress");

        Effects.openGate(note);
        first.join().isFirst(200);
        assertEffects(note, 1);
    }

    @Test
    void twoKeysRunAtTheSameTime() {
        String one = fresh();
        String two = fresh();
        CompletableFuture<Answer> first =
                http().post("/scripted").key(one).script("gate").note(one).sendLater();
        CompletableFuture<Answer> second =
                http().post("/scripted").key(two).script("gate").note(two).sendLater();

        awaitEffects(one, 1);
        awaitEffects(two, 1);
        Effects.openGate(one);
        Effects.openGate(two);

        first.join().isFirst(200);
        second.join().isFirst(200);
    }

    @Test
    void aLeaseIsRenewedWhileTheHandlerWorks() throws Exception {
        String note = fresh();
        String key = fresh();
        CompletableFuture<Answer> first =
                http().post("/short-lease").key(key).script("gate").note(note).sendLater();
        awaitEffects(note, 1);

        long end = System.nanoTime() + 3_500_000_000L;
        while (System.nanoTime() < end) {
            otherHttp()
                    .post("/short-lease")
                    .key(key)
                    .script("gate")
                    .note(note)
                    .send()
                    .isProblem(409, "in-progress");
        }
        Effects.openGate(note);

        Answer answer = first.join().isFirst(200);
        otherHttp()
                .post("/short-lease")
                .key(key)
                .script("gate")
                .note(note)
                .send()
                .replays(answer);
        assertEffects(note, 1);
    }

    @Test
    void aLateOwnerAnswersItsClientButDoesNotTouchItsSuccessorsRecord() {
        String note = fresh();
        String key = fresh();
        server().store().loseRenewals(true);
        CompletableFuture<Answer> late = http().post("/short-lease")
                .key(key)
                .script("gate,200")
                .note(note)
                .sendLater();
        awaitEffects(note, 1);
        otherHttp()
                .post("/short-lease")
                .key(key)
                .script("gate,200")
                .note(note)
                .send()
                .isProblem(409, "in-progress");

        Answer successor = await().until(
                        () -> otherHttp()
                                .post("/short-lease")
                                .key(key)
                                .script("gate,200")
                                .note(note)
                                .send(),
                        answer -> answer.status() == 200)
                .isFirst(200);
        double staleBefore = staleCompletions();
        Effects.openGate(note);

        assertThat(late.join().isFirst(200).text()).isNotEqualTo(successor.text());
        assertThat(staleCompletions()).isEqualTo(staleBefore + 1);
        http().post("/short-lease")
                .key(key)
                .script("gate,200")
                .note(note)
                .send()
                .replays(successor);
        assertEffects(note, 2);
    }

    private double staleCompletions() {
        return server().bean(MeterRegistry.class).find("idempotency.stale.completions").counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    @Test
    void anOrphanOfUnknownOutcomeIsLeftToAPerson() {
        String note = fresh();
        String key = fresh();
        server().store().loseRenewals(true);
        CompletableFuture<Answer> silent =
                http().post("/uncertain").key(key).script("gate").note(note).sendLater();
        awaitEffects(note, 1);

        Answer refused = await().until(
                        () -> otherHttp()
                                .post("/uncertain")
                                .key(key)
                                .script("gate")
                                .note(note)
                                .send(),
                        answer -> answer.text().contains("outcome-unknown"));

        refused.isProblem(409, "outcome-unknown");
        assertThat(refused.headers("Retry-After")).isEmpty();
        Effects.openGate(note);
        silent.join().isFirst(200);
        assertEffects(note, 1);
    }

    @Test
    void aClientThatHangsUpUndoesNothing() {
        String note = fresh();
        String key = fresh();
        CompletableFuture<?> leaving =
                http().post("/scripted").key(key).script("gate").note(note).sendAndLeave();
        awaitEffects(note, 1);
        leaving.cancel(true);
        Effects.openGate(note);

        Answer repeat = await().until(
                        () -> http().post("/scripted")
                                .key(key)
                                .script("gate")
                                .note(note)
                                .send(),
                        answer -> answer.status() == 200);

        assertThat(repeat.header(Answer.MARK)).isEqualTo("true");
        assertEffects(note, 1);
    }
}
