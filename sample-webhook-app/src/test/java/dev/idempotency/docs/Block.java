// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.docs;

/**
 * A code block of a page.
 *
 * @param page name of its page
 * @param line where it begins
 * @param kind its info string, such as {@code java}; empty if it has none
 * @param code what is in it, without the page's indentation
 * @param tester the test that {@code <!-- tested by XTest -->} names before it; empty if there is none
 */
record Block(String page, int line, String kind, String code, String tester) {

    /** Whether the rule of this kind checks it, and not a test of its own. */
    boolean follows(String rule) {
        return kind.equals(rule) && tester.isEmpty();
    }

    String firstLine() {
        return code.lines().findFirst().orElse("");
    }

    @Override
    public String toString() {
        return page + ":" + line + " " + kind;
    }
}
