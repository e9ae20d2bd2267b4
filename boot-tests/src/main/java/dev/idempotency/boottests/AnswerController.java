// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Answers written past Spring, in every way that a servlet may. */
@RestController
@Idempotent(bizType = "answers")
class AnswerController {

    private static final byte[] HELLO = "hello world".getBytes(StandardCharsets.UTF_8);

    @PostMapping("/answers/{kind}")
    void answer(@PathVariable("kind") String kind, @RequestParam("note") String note, HttpServletResponse response)
            throws Exception {
        Effects.happen(note);
        response.setHeader("X-Unique", UUID.randomUUID().toString());
        response.setContentType("text/plain");
        switch (kind) {
            case "length" -> {
                response.setContentLength(HELLO.length);
                write(response, HELLO);
            }
            case "length-header" -> {
                response.setHeader("content-length", Integer.toString(HELLO.length));
                write(response, HELLO);
            }
            case "length-int-header" -> {
                response.setIntHeader("Content-Length", HELLO.length);
                write(response, HELLO);
            }
            case "length-too-long" -> {
                response.setContentLengthLong(1000);
                write(response, HELLO);
            }
            case "length-too-short" -> {
                response.setContentLength(3);
                write(response, HELLO);
            }
            case "transfer-encoding" -> {
                response.setHeader("Transfer-Encoding", "chunked");
                write(response, HELLO);
            }
            case "connection-close" -> {
                response.setHeader("Connection", "close");
                response.setHeader("Keep-Alive", "timeout=1");
                write(response, HELLO);
            }
            case "date" -> {
                response.setDateHeader("Date", 0);
                response.setDateHeader("Last-Modified", 0);
                response.addDateHeader("X-Other-Date", 0);
                write(response, HELLO);
            }
            case "of-this-exchange" -> {
                response.setHeader("Server-Timing", "db;dur=5");
                response.setHeader("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
                response.setHeader("X-Request-Id", "1");
                response.setHeader("RateLimit-Remaining", "7");
                response.setHeader("WWW-Authenticate", "Basic");
                response.addHeader("Set-Cookie", "a=1");
                response.addCookie(new Cookie("b", "2"));
                response.setHeader("Access-Control-Allow-Origin", "https://first.example");
                write(response, HELLO);
            }
            case "flush" -> {
                write(response, HELLO);
                response.flushBuffer();
                response.setHeader("X-Late", "1");
                response.setStatus(500);
                response.setContentType("image/png");
                response.addCookie(new Cookie("late", "1"));
                write(response, HELLO);
            }
            case "flush-stream" -> {
                response.getOutputStream().write('a');
                response.getOutputStream().flush();
                response.getOutputStream().close();
            }
            case "reset" -> {
                response.setHeader("X-Reset", "1");
                response.setStatus(202);
                response.getWriter().print("forgotten");
                response.reset();
                response.setContentType("text/plain");
                write(response, HELLO);
            }
            case "reset-buffer" -> {
                response.getWriter().print("forgotten");
                response.resetBuffer();
                response.getWriter().print("hello world");
            }
            case "reset-after-flush" -> {
                write(response, HELLO);
                response.flushBuffer();
                try {
                    response.reset();
                } catch (IllegalStateException e) {
                    write(response, " refused".getBytes(StandardCharsets.UTF_8));
                }
            }
            case "locale" -> {
                response.setLocale(Locale.JAPANESE);
                response.getWriter().print("hello world");
            }
            case "writer" -> {
                response.setCharacterEncoding("UTF-16BE");
                response.getWriter().print("Zoë 李");
                response.setCharacterEncoding("US-ASCII");
            }
            case "chunks" -> {
                byte[] chunk = new byte[1000];
                Arrays.fill(chunk, (byte) 'c');
                for (int i = 0; i < 300; i++) {
                    response.getOutputStream().write(chunk);
                    response.flushBuffer();
                }
            }
            case "trailers" -> {
                response.setTrailerFields(() -> Map.of("x-digest", "1"));
                write(response, HELLO);
            }
            case "gzip" -> {
                response.setHeader("Content-Encoding", "gzip");
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
                    zip.write("hello world ".repeat(500).getBytes(StandardCharsets.UTF_8));
                }
                write(response, out.toByteArray());
            }
            case "large-text" -> write(response, "hello world ".repeat(500).getBytes(StandardCharsets.UTF_8));
            default -> {
                response.setStatus(Integer.parseInt(kind));
                response.setContentType(null);
            }
        }
    }

    private static void write(HttpServletResponse response, byte[] bytes) throws IOException {
        response.getOutputStream().write(bytes);
    }

    @PostMapping("/redirects/{form}")
    void redirect(
            @PathVariable("form") String form,
            @RequestParam("to") String to,
            @RequestParam("note") String note,
            HttpServletResponse response)
            throws Exception {
        Effects.happen(note);
        response.setContentType("text/plain");
        response.getWriter().print("see there");
        switch (form) {
            case "plain" -> response.sendRedirect(to);
            case "status" -> redirect(response, new Class<?>[] {String.class, int.class}, to, 303);
            case "keep" -> redirect(response, new Class<?>[] {String.class, boolean.class}, to, false);
            default ->
                redirect(
                        response, new Class<?>[] {String.class, int.class, boolean.class}, to, 307, form.equals("all"));
        }
        response.setHeader("X-Late", "1");
        response.getWriter().print("too late");
    }

    /** Servlet 6.1's forms, which are not there in 6.0. */
    private static void redirect(HttpServletResponse response, Class<?>[] types, Object... arguments)
            throws ReflectiveOperationException, IOException {
        try {
            HttpServletResponse.class.getMethod("sendRedirect", types).invoke(response, arguments);
        } catch (InvocationTargetException e) {
            throw new IOException(e.getCause());
        }
    }

    /** Kept with its error page, which is larger than what is kept. */
    @Idempotent(bizType = "keeps_402")
    @PostMapping("/large-error-page")
    ResponseEntity<Void> largeErrorPage(@RequestParam("note") String note, HttpServletResponse response)
            throws IOException {
        Effects.happen(note);
        response.sendError(402, "x".repeat(300_000));
        return null;
    }

    @PostMapping("/guarded")
    String guarded(@RequestParam("note") String note) {
        Effects.happen(note);
        return UUID.randomUUID().toString();
    }
}
