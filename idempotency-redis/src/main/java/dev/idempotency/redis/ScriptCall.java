// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

/** One of several runs of a script: its one key, and its arguments. The arrays are read only. */
final class ScriptCall {

    private final byte[][] keys;
    private final byte[][] arguments;

    ScriptCall(byte[] key, byte[]... arguments) {
        this.keys = new byte[][] {key};
        this.arguments = arguments;
    }

    byte[][] keys() {
        return keys;
    }

    byte[][] arguments() {
        return arguments;
    }
}
