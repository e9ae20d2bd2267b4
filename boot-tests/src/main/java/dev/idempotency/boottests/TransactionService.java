// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import java.util.UUID;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Rows as effects, in the ways that applications write them. */
@Service
@ConditionalOnProperty("transactional")
class TransactionService {

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;
    private final ObjectProvider<TransactionService> self;

    TransactionService(JdbcTemplate jdbc, PlatformTransactionManager manager, ObjectProvider<TransactionService> self) {
        this.jdbc = jdbc;
        this.transaction = new TransactionTemplate(manager);
        this.self = self;
        jdbc.execute("CREATE TABLE IF NOT EXISTS effect (note VARCHAR(100) NOT NULL)");
    }

    TransactionService proxied() {
        return self.getObject();
    }

    @Transactional
    public void insert(String note) {
        jdbc.update("INSERT INTO effect (note) VALUES (?)", note);
    }

    @Transactional
    public void insertAndPassGate(String note) {
        insert(note);
        passGate(note);
    }

    private void passGate(String note) {
        try {
            Effects.passGate(note);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted at the gate", e);
        }
    }

    @Transactional
    public void askForRollback() {
        TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
    }

    void failQuietly() {
        try {
            proxied().fail();
        } catch (IllegalStateException e) {
            Effects.happen("swallowed");
        }
    }

    @Transactional
    public void fail() {
        throw new IllegalStateException("swallowed by its caller");
    }

    void failAtCommit() {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                throw new IllegalStateException("a constraint that is checked at the commit");
            }
        });
    }

    void failAfterCommit() {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                throw new IllegalStateException("committed, but nobody is told so");
            }
        });
    }

    @Idempotent(bizType = "transactional_method", keyResolver = "#note", transactional = true)
    public String place(String note, String step) {
        Effects.happen(note);
        proxied().insert(note);
        if (step.equals("throw")) {
            throw new IllegalStateException("the method broke");
        }
        return UUID.randomUUID().toString();
    }

    String placeWithin(String note, String step, boolean rollsBack) {
        return transaction.execute(status -> {
            if (step.equals("surrounded-gate")) {
                Effects.happen("within " + note);
                passGate(note);
            }
            String placed = proxied().place(note, step);
            if (rollsBack) {
                status.setRollbackOnly();
            }
            return placed;
        });
    }
}
