// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import dev.idempotency.spring.problem.ProblemType;
import java.io.Serial;

/** The request cannot be identified; its message tells the sender why, and holds nothing that the sender sent. */
public final class InvalidRequestException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    private final ProblemType problem;

    public InvalidRequestException(ProblemType problem, String message) {
        super(message);
        this.problem = problem;
    }

    public ProblemType problem() {
        return problem;
    }
}
