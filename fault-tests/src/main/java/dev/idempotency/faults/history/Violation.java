// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.history;

/**
 * A promise that was not kept.
 *
 * @param rule the broken one, in a few words
 * @param operation the operation it was broken for, or the key
 * @param detail what was found instead
 */
public record Violation(String rule, String operation, String detail) {}
