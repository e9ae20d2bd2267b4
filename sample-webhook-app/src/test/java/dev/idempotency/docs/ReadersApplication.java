// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

import dev.idempotency.spring.method.IdempotencyTemplate;
import java.net.URI;

/** What the documentation's examples take for granted of the reader's own application. They are compiled as members of it. */
class ReadersApplication {

    record Order(String id, String userId, String orderNo, long amount) {}

    record Receipt(String id) {
        boolean isPreliminary() {
            return false;
        }
    }

    record PayoutRequest(String account, long amount) {}

    record Payout(PayoutRequest request) {}

    interface Erp {
        URI push(Order order);
    }

    interface Gateway {
        Receipt charge(String key, long amount);

        Receipt refund(String orderId, long amount);
    }

    interface Provider {
        void pay(PayoutRequest request, String idempotencyKey);
    }

    interface Ledger {
        void book(PayoutRequest request, long fencingNumber);
    }

    interface Mails {
        void send(String orderId);
    }

    Erp erp;
    Gateway gateway;
    Provider provider;
    Ledger ledger;
    Mails mails;
    IdempotencyTemplate template;
    String orderId;
    String refundId;
    long amount;
}
