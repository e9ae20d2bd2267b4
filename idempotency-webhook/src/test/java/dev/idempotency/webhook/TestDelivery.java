// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A delivery to be put together. */
final class TestDelivery implements Delivery {

    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final byte[] body;

    TestDelivery(String body) {
        this(body.getBytes(StandardCharsets.UTF_8));
    }

    TestDelivery(byte[] body) {
        this.body = body;
    }

    /** One more line. */
    TestDelivery with(String name, String value) {
        headers.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
        return this;
    }

    /** Another value in place of what there was. */
    TestDelivery replacing(String name, String value) {
        headers.remove(name);
        return with(name, value);
    }

    TestDelivery without(String name) {
        headers.remove(name);
        return this;
    }

    /** The same header lines with another body. */
    TestDelivery saying(byte[] other) {
        TestDelivery changed = new TestDelivery(other);
        changed.headers.putAll(headers);
        return changed;
    }

    @Override
    public List<String> headers(String name) {
        return headers.getOrDefault(name, List.of());
    }

    @Override
    public byte[] body() {
        return body;
    }
}
