// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;

/** Handlers that leave the answer, or a part of it, to others. */
@Controller
class DispatchController {

    @Idempotent(bizType = "dispatched")
    @PostMapping("/forward-view")
    String forwardView(@RequestParam("note") String note, HttpServletResponse response) {
        Effects.happen(note);
        response.setHeader("X-Before", "1");
        return "forward:/forward-target?added=x";
    }

    @Idempotent(bizType = "dispatched")
    @PostMapping("/forward-request")
    void forwardRequest(
            @RequestParam("note") String note,
            @RequestParam("to") String to,
            HttpServletRequest request,
            HttpServletResponse response)
            throws ServletException, IOException {
        Effects.happen(note);
        request.getRequestDispatcher(to).forward(request, response);
    }

    @Idempotent(bizType = "dispatched")
    @PostMapping("/forward-context")
    void forwardContext(
            @RequestParam("note") String note,
            @RequestParam("to") String to,
            HttpServletRequest request,
            HttpServletResponse response)
            throws ServletException, IOException {
        Effects.happen(note);
        request.getServletContext().getRequestDispatcher(to).forward(request, response);
    }

    @Idempotent(bizType = "dispatched")
    @PostMapping("/include")
    void include(
            @RequestParam("note") String note,
            @RequestParam("to") String to,
            HttpServletRequest request,
            HttpServletResponse response)
            throws ServletException, IOException {
        Effects.happen(note);
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().print("before ");
        request.getRequestDispatcher(to).include(request, response);
        response.getWriter().print(" after");
    }

    @Idempotent(bizType = "dispatched")
    @PostMapping("/rendered")
    ModelAndView rendered(@RequestParam("note") String note) {
        Effects.happen(note);
        View view = (model, request, response) -> {
            response.setContentType("text/html;charset=UTF-8");
            response.getWriter().print("<p>" + model.get("unique") + "</p>");
        };
        return new ModelAndView(view, Map.of("unique", UUID.randomUUID()));
    }

    @Idempotent(bizType = "dispatched")
    @PostMapping("/redirect-view")
    String redirectView(@RequestParam("note") String note) {
        Effects.happen(note);
        return "redirect:/orders/" + note;
    }

    /** Itself protected, which must make no difference: it is reached by a request that is. */
    @Idempotent(bizType = "dispatched")
    @RequestMapping("/forward-target")
    @ResponseBody
    String target(HttpServletRequest request) {
        StringBuilder parameters = new StringBuilder("target ").append(UUID.randomUUID());
        request.getParameterMap()
                .forEach((name, values) ->
                        parameters.append(' ').append(name).append('=').append(Arrays.toString(values)));
        return parameters.toString();
    }

    @RequestMapping("/write-target")
    void writeTarget(HttpServletResponse response) throws IOException {
        response.setHeader("X-Target", "1");
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().print("Zoë " + UUID.randomUUID());
    }

    @RequestMapping("/stream-target")
    void streamTarget(HttpServletResponse response) throws IOException {
        response.setContentType("application/octet-stream");
        response.getOutputStream().write(UUID.randomUUID().toString().getBytes("UTF-8"));
    }

    @RequestMapping("/empty-target")
    void emptyTarget(HttpServletResponse response) {
        response.setStatus(204);
    }

    @RequestMapping("/error-target")
    void errorTarget(HttpServletResponse response) throws IOException {
        response.sendError(409, "no");
    }

    @RequestMapping("/throwing-target")
    void throwingTarget() throws IOException {
        throw new IOException("the target broke");
    }
}
