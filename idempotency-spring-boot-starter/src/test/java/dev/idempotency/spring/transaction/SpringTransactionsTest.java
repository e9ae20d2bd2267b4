// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.transaction;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.idempotency.store.IdempotencyStore;
import dev.idempotency.store.StoreUnavailableException;
import dev.idempotency.store.TransactionParticipant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.SimpleTransactionStatus;

class SpringTransactionsTest {

    private final PlatformTransactionManager manager = mock(PlatformTransactionManager.class);
    private final TransactionParticipant participant = mock(TransactionParticipant.class);
    private final IdempotencyStore store = mock(IdempotencyStore.class);
    private final SpringTransactions transactions = new SpringTransactions(manager, store, mock(BeanFactory.class));

    @BeforeEach
    void takePart() {
        when(store.transactionParticipant()).thenReturn(participant);
    }

    @Test
    void aDatabaseThatIsAwayIsAskedOnceHoweverManyEndpointsNeedIt() {
        when(manager.getTransaction(any())).thenThrow(new CannotCreateTransactionException("away"));
        transactions.check();
        transactions.check();
        verify(manager, times(1)).getTransaction(any());
    }

    @Test
    void theProbeIsEndedWhateverItFinds() {
        SimpleTransactionStatus probe = new SimpleTransactionStatus();
        when(manager.getTransaction(any())).thenReturn(probe);
        when(participant.isInTransaction()).thenThrow(new StoreUnavailableException("away", null));
        assertThatThrownBy(transactions::check).isInstanceOf(StoreUnavailableException.class);
        verify(manager).rollback(probe);
    }
}
