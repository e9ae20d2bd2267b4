// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** This process, as a person who looks for its log would call it. */
final class Node {

    /** Process id and host name, found out once. */
    static final String NAME = ProcessHandle.current().pid() + "@" + host();

    private Node() {}

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
