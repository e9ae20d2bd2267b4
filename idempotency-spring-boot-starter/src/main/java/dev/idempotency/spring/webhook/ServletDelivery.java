// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.webhook;

import dev.idempotency.spring.identity.BufferedRequest;
import dev.idempotency.webhook.Delivery;
import java.util.Collections;
import java.util.List;

/** A request as its signature sees it. */
record ServletDelivery(BufferedRequest request) implements Delivery {

    @Override
    public List<String> headers(String name) {
        return Collections.list(request.getHeaders(name));
    }

    @Override
    public byte[] body() {
        return request.body();
    }
}
