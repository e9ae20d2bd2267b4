// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import java.util.List;
import org.junit.jupiter.api.Test;

/** One key for two orders, where the business id is no part of the record key (row C21). */
class KeyPartsContractIT extends HttpContract {

    @Override
    List<String> properties() {
        return List.of("idempotency.key-parts=idempotency-key,path,method");
    }

    @Test
    void aKeyReusedForAnotherOrderIsRefusedAndLeavesTheFirstAlone() {
        String key = fresh();
        String first = fresh();
        String second = fresh();

        Answer created =
                http().post("/orders").key(key).json(order(1, first)).send().isFirst(201);
        http().post("/orders").key(key).json(order(2, second)).send().isProblem(422, "key-reused");
        otherHttp().post("/orders").key(key).json(order(2, second)).send().isProblem(422, "key-reused");
        otherHttp().post("/orders").key(key).json(order(1, first)).send().replays(created);

        assertEffects(first, 1);
        assertEffects(second, 0);
    }

    private static String order(int id, String note) {
        return "{\"order_id\":" + id + ",\"note\":\"" + note + "\"}";
    }
}
