// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes a refusal to the response; a bean of this type replaces the default. May be called from any thread. */
public interface ProblemRenderer {

    /**
     * Writes status, headers and body.
     *
     * @param request the request that was refused; its body may have been read
     * @throws IOException if the response cannot be written; the refusal stands
     */
    void render(Problem problem, HttpServletRequest request, HttpServletResponse response) throws IOException;
}
