// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.idempotency.store.StoredResponse;
import dev.idempotency.store.StoredResponse.Field;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;

class CapturedResponseTest {

    private static final int MAX = 20_000;

    /** As containers do, and the mock does not, holds the charset apart from the type. */
    private static final class ContainerResponse extends MockHttpServletResponse {

        private String type;
        private String charset;

        @Override
        public void setContentType(String contentType) {
            int separator = contentType.indexOf(";charset=");
            type = separator < 0 ? contentType : contentType.substring(0, separator);
            charset = separator < 0 ? charset : contentType.substring(separator + 9);
        }

        @Override
        public String getContentType() {
            return type == null || charset == null ? type : type + ";charset=" + charset;
        }

        @Override
        public void setCharacterEncoding(String encoding) {
            charset = encoding;
        }

        @Override
        public String getCharacterEncoding() {
            return charset == null ? "ISO-8859-1" : charset;
        }

        @Override
        public void reset() {
            super.reset();
            type = null;
            charset = null;
        }
    }

    private final MockHttpServletResponse real = new ContainerResponse();
    private int overflows;
    private final CapturedResponse captured = new CapturedResponse(real, MAX, () -> {
        assertThat(real.isCommitted()).isFalse();
        overflows++;
    });

    private StoredResponse stored() {
        captured.finishWriting();
        return captured.toStoredResponse();
    }

    private byte[] storedBody() {
        return stored().body().bytes();
    }

    @Test
    void nothingIsSentBeforeTheRecordIsWritten() throws Exception {
        captured.setStatus(201);
        captured.getOutputStream().write("body".getBytes(UTF_8));
        captured.flushBuffer();
        assertThat(real.getContentAsByteArray()).isEmpty();
        assertThat(real.isCommitted()).isFalse();
        assertThat(stored().status()).isEqualTo(201);
        assertThat(storedBody()).isEqualTo("body".getBytes(UTF_8));

        captured.send();
        assertThat(real.getStatus()).isEqualTo(201);
        assertThat(real.getContentAsByteArray()).isEqualTo("body".getBytes(UTF_8));
        assertThat(real.getContentLength()).isEqualTo(4);
    }

    @Test
    void answerWithoutBodyHasLengthZeroUnlessItsStatusForbidsContent() throws Exception {
        captured.send();
        assertThat(real.getHeader("Content-Length")).isEqualTo("0");

        for (int status : new int[] {204, 304}) {
            MockHttpServletResponse bare = new MockHttpServletResponse();
            CapturedResponse without = new CapturedResponse(bare, MAX, () -> {});
            without.setStatus(status);
            without.send();
            assertThat(bare.containsHeader("Content-Length")).isFalse();
        }
    }

    @Test
    void bytesAreKeptAsTheyAreWritten() throws Exception {
        ServletOutputStream out = captured.getOutputStream();
        out.write(0xff);
        out.write(new byte[] {1, 2, 3, 4}, 1, 2);
        out.print("text");
        assertThat(storedBody()).isEqualTo("\u00ff\u0002\u0003text".getBytes(ISO_8859_1));
    }

    @Test
    void writeListenerMayWriteAtOnce() throws Exception {
        ServletOutputStream out = captured.getOutputStream();
        assertThat(out.isReady()).isTrue();
        out.setWriteListener(new WriteListener() {
            @Override
            public void onWritePossible() throws IOException {
                out.print("async");
            }

            @Override
            public void onError(Throwable thrown) {
                throw new AssertionError(thrown);
            }
        });
        assertThat(storedBody()).isEqualTo("async".getBytes(UTF_8));
    }

    @Test
    void streamAndWriterExcludeEachOther() throws Exception {
        assertThat(captured.getWriter()).isSameAs(captured.getWriter());
        assertThatIllegalStateException().isThrownBy(captured::getOutputStream);
        captured.reset();
        assertThat(captured.getOutputStream()).isSameAs(captured.getOutputStream());
        assertThatIllegalStateException().isThrownBy(captured::getWriter);
    }

    @Test
    void writerEncodesByTheDeclaredCharsetAndTellsIt() throws Exception {
        captured.setContentType("text/plain;charset=UTF-16BE");
        captured.getWriter().write("\u00e4");
        assertThat(storedBody()).isEqualTo("\u00e4".getBytes(UTF_16BE));
        assertThat(stored().fields()).contains(new Field("Content-Type", "text/plain;charset=UTF-16BE"));
    }

    @Test
    void writerWithoutCharsetIsLatin1AndSaysSo() throws Exception {
        captured.setContentType("text/plain");
        captured.getWriter().write("\u00e4");
        assertThat(storedBody()).isEqualTo("\u00e4".getBytes(ISO_8859_1));
        assertThat(stored().fields()).containsExactly(new Field("Content-Type", "text/plain;charset=ISO-8859-1"));
    }

    @Test
    void streamLeavesTheContentTypeAsItIs() throws Exception {
        captured.setContentType("application/json");
        captured.getOutputStream().write("\"\u00e4\"".getBytes(UTF_8));
        assertThat(stored().fields()).containsExactly(new Field("Content-Type", "application/json"));
        assertThat(storedBody()).isEqualTo("\"\u00e4\"".getBytes(UTF_8));
    }

    @Test
    void charsetStaysOnceAWriterExistsAndTheTypeMayChange() throws Exception {
        PrintWriter writer = captured.getWriter();
        captured.setContentType("text/html;charset=UTF-8");
        captured.setCharacterEncoding("UTF-8");
        captured.setCharacterEncoding(UTF_8);
        assertThat(real.getCharacterEncoding()).isEqualTo("ISO-8859-1");
        captured.setHeader("Content-Type", "text/html;charset=UTF-8");
        captured.addHeader("Content-Type", "text/html;charset=UTF-8");
        writer.write("\u00e4");
        assertThat(stored().fields()).containsExactly(new Field("Content-Type", "text/html;charset=ISO-8859-1"));
        assertThat(storedBody()).isEqualTo("\u00e4".getBytes(ISO_8859_1));
        captured.send();
        assertThat(real.getContentType()).isEqualTo("text/html;charset=ISO-8859-1");
    }

    @Test
    void writerThatIsNeverFlushedLosesNothing() throws Exception {
        captured.getWriter().write("x".repeat(MAX));
        assertThat(storedBody()).hasSize(MAX);
        captured.send();
        assertThat(real.getContentAsByteArray()).hasSize(MAX);
        assertThat(overflows).isZero();
    }

    @Test
    void overflowThatOnlyTheLastFlushBringsIsAnOverflow() throws Exception {
        captured.getWriter().write("x".repeat(MAX + 1));
        captured.finishWriting();
        assertThat(overflows).isEqualTo(1);
        assertThat(captured.isTooLarge()).isTrue();
        captured.send();
        assertThat(real.getContentAsByteArray()).hasSize(MAX + 1);
    }

    @Test
    void answerOfExactlyTheBoundIsKept() throws Exception {
        captured.getOutputStream().write(new byte[MAX]);
        assertThat(captured.isTooLarge()).isFalse();
        assertThat(storedBody()).hasSize(MAX);
    }

    @Test
    void largerAnswerGoesThroughWholeAndInOrderAndIsReportedOnceBefore() throws Exception {
        captured.setContentLength(MAX + 3);
        ServletOutputStream out = captured.getOutputStream();
        out.write('a');
        out.write(new byte[MAX - 1]);
        assertThat(real.getContentAsByteArray()).isEmpty();
        out.write('b');
        assertThat(overflows).isEqualTo(1);
        assertThat(captured.isTooLarge()).isTrue();
        out.write('c');
        out.write('d');
        out.flush();
        captured.send();
        assertThat(overflows).isEqualTo(1);
        assertThat(real.getContentLength()).isEqualTo(MAX + 3);
        assertThat(real.getContentAsByteArray())
                .hasSize(MAX + 3)
                .startsWith('a')
                .endsWith('b', 'c', 'd');
    }

    @Test
    void largerAnswerWithoutLengthGetsNone() throws Exception {
        captured.getOutputStream().write(new byte[MAX + 1]);
        captured.send();
        assertThat(real.containsHeader("Content-Length")).isFalse();
    }

    @Test
    void flushReachesTheClientOnlyAfterAnOverflow() throws Exception {
        captured.getOutputStream().flush();
        assertThat(real.isCommitted()).isFalse();
        captured.getOutputStream().write(new byte[MAX + 1]);
        captured.getOutputStream().flush();
        assertThat(real.isCommitted()).isTrue();
    }

    @Test
    void declaredLengthIsReplacedByTheTrueOne() throws Exception {
        captured.setContentLengthLong(99);
        captured.setHeader("content-length", "98");
        captured.addHeader("Content-Length", "97");
        captured.setIntHeader("Content-Length", 96);
        captured.setHeader("Content-Length", "nonsense");
        captured.getOutputStream().print("four");
        assertThat(stored().fields()).extracting(Field::name).doesNotContain("Content-Length", "content-length");
        captured.send();
        assertThat(real.getHeaders("Content-Length")).containsExactly("4");
    }

    @Test
    void transferCodingIsTheContainers() throws Exception {
        captured.setHeader("Transfer-Encoding", "chunked");
        captured.addHeader("transfer-encoding", "chunked");
        captured.getOutputStream().print("x");
        assertThat(stored().fields()).isEmpty();
        captured.send();
        assertThat(real.containsHeader("Transfer-Encoding")).isFalse();
    }

    @Test
    void headerLinesAreKeptInOrderAndByNameInAnyCase() {
        captured.addHeader("Link", "<a>; rel=\"x\", <b>");
        captured.addHeader("ETag", "\"v1\"");
        captured.addHeader("link", "<c>");
        captured.setHeader("x-total", "1");
        captured.setHeader("X-Total", "2");
        captured.addIntHeader("Age", 3);
        captured.setIntHeader("Retry-After", 4);
        captured.setDateHeader(
                "Last-Modified", Instant.parse("2026-01-02T03:04:05Z").toEpochMilli());
        captured.addDateHeader("Expires", 0);
        assertThat(stored().fields())
                .containsExactly(
                        new Field("Link", "<a>; rel=\"x\", <b>"),
                        new Field("link", "<c>"),
                        new Field("ETag", "\"v1\""),
                        new Field("X-Total", "2"),
                        new Field("Age", "3"),
                        new Field("Retry-After", "4"),
                        new Field("Last-Modified", "Fri, 02 Jan 2026 03:04:05 GMT"),
                        new Field("Expires", "Thu, 01 Jan 1970 00:00:00 GMT"));
        assertThat(real.getHeaders("Link")).containsExactly("<a>; rel=\"x\", <b>", "<c>");
        assertThat(real.getHeader("X-Total")).isEqualTo("2");
    }

    @Test
    void headerThatIsTakenBackIsNotKept() {
        captured.setHeader("ETag", "\"v1\"");
        captured.setHeader("etag", null);
        captured.addHeader("X-Nothing", null);
        assertThat(stored().fields()).isEmpty();
    }

    @Test
    void headersOfTheExchangeAreSentAndNotKept() {
        captured.setHeader("Set-Cookie", "a=b");
        captured.addHeader("Access-Control-Allow-Origin", "https://example.com");
        assertThat(stored().fields()).isEmpty();
        assertThat(real.getHeader("Set-Cookie")).isEqualTo("a=b");
        assertThat(real.getHeader("Access-Control-Allow-Origin")).isEqualTo("https://example.com");
    }

    @Test
    void contentTypeIsKeptOnceHoweverItWasSet() {
        captured.setHeader("content-type", "text/plain");
        captured.addHeader("Content-Type", "text/html");
        captured.setContentType("application/json");
        assertThat(stored().fields()).containsExactly(new Field("Content-Type", "application/json"));
    }

    @Test
    void localeIsKeptAsTheContentsLanguage() {
        captured.setLocale(Locale.GERMANY);
        assertThat(stored().fields()).contains(new Field("Content-Language", "de-DE"));
    }

    @Test
    void resetForgetsEverything() throws Exception {
        captured.setStatus(500);
        captured.setHeader("ETag", "\"v1\"");
        captured.setContentType("text/plain");
        captured.getWriter().write("half an ans");
        captured.reset();
        captured.getOutputStream().print("new");
        assertThat(stored().status()).isEqualTo(200);
        assertThat(stored().fields()).isEmpty();
        assertThat(storedBody()).isEqualTo("new".getBytes(UTF_8));
        captured.setContentType("text/plain;charset=UTF-8");
        assertThat(captured.getContentType()).isEqualTo("text/plain;charset=UTF-8");
    }

    @Test
    void resetBufferForgetsTheBodyAndKeepsTheHead() throws Exception {
        captured.setStatus(202);
        captured.setHeader("ETag", "\"v1\"");
        PrintWriter writer = captured.getWriter();
        writer.write("half an ans");
        captured.resetBuffer();
        writer.write("new");
        assertThat(stored().status()).isEqualTo(202);
        assertThat(stored().fields()).contains(new Field("ETag", "\"v1\""));
        assertThat(storedBody()).isEqualTo("new".getBytes(UTF_8));
    }

    @Test
    void whatIsThrownAwayNeverOverflows() throws Exception {
        CapturedResponse small = new CapturedResponse(real, 5, () -> overflows++);
        small.getWriter().write("too long an answer");
        small.resetBuffer();
        small.getWriter().write("short");
        small.finishWriting();
        assertThat(overflows).isZero();
        assertThat(small.toStoredResponse().body().bytes()).isEqualTo("short".getBytes(UTF_8));

        small.getWriter().write("too long an answer");
        small.sendError(500);
        assertThat(overflows).isZero();
        assertThat(real.getContentAsByteArray()).isEmpty();
    }

    @Test
    void afterFlushTheHeadIsFixedAndResetIsRefused() throws Exception {
        captured.setHeader("X", "1");
        captured.setContentType("text/plain");
        captured.flushBuffer();
        assertThat(captured.isCommitted()).isTrue();
        captured.setStatus(500);
        captured.setHeader("X", "2");
        captured.addHeader("X", "3");
        captured.setIntHeader("X", 4);
        captured.setContentType("text/html");
        captured.setCharacterEncoding("UTF-16");
        captured.setLocale(Locale.GERMANY);
        assertThatIllegalStateException().isThrownBy(captured::reset);
        assertThatIllegalStateException().isThrownBy(captured::resetBuffer);
        assertThatIllegalStateException().isThrownBy(() -> captured.sendError(400));
        assertThatIllegalStateException().isThrownBy(() -> captured.sendError(400, "no"));
        assertThatIllegalStateException().isThrownBy(() -> captured.sendRedirect("/x"));
        captured.getOutputStream().print("rest");
        assertThat(stored().status()).isEqualTo(200);
        assertThat(stored().fields()).containsExactly(new Field("Content-Type", "text/plain"), new Field("X", "1"));
        assertThat(storedBody()).isEqualTo("rest".getBytes(UTF_8));
    }

    @Test
    void pageOfAnErrorIsTheContainers() throws Exception {
        captured.getWriter().write("half an ans");
        captured.sendError(409, "taken");
        assertThat(captured.isError()).isTrue();
        assertThat(captured.isCommitted()).isTrue();
        assertThat(captured.getStatus()).isEqualTo(409);
        assertThat(real.getStatus()).isEqualTo(409);
        assertThat(real.getErrorMessage()).isEqualTo("taken");
        captured.getWriter().write("ignored");
        captured.setStatus(200);
        captured.send();
        assertThat(captured.getStatus()).isEqualTo(409);
        assertThat(real.getContentAsByteArray()).isEmpty();
    }

    @Test
    void redirectIsKeptWithItsTargetAndWithoutABody() throws Exception {
        captured.getOutputStream().print("half an ans");
        captured.sendRedirect("/orders/7");
        captured.getOutputStream().print("ignored");
        captured.setHeader("Location", "/elsewhere");
        assertThat(stored().status()).isEqualTo(302);
        assertThat(stored().fields()).containsExactly(new Field("Location", "/orders/7"));
        assertThat(storedBody()).isEmpty();
        captured.send();
        assertThat(real.getRedirectedUrl()).isEqualTo("/orders/7");
        assertThat(real.getContentAsByteArray()).isEmpty();
    }

    @Test
    void redirectMayHaveAnotherStatus() throws Exception {
        captured.sendRedirect("/orders/7", 303);
        assertThat(stored().status()).isEqualTo(303);
        assertThat(stored().fields()).containsExactly(new Field("Location", "/orders/7"));

        CapturedResponse other = new CapturedResponse(new MockHttpServletResponse(), MAX, () -> {});
        other.sendRedirect("/orders/8", true);
        assertThat(other.toStoredResponse().status()).isEqualTo(302);
        assertThat(other.toStoredResponse().fields()).containsExactly(new Field("Location", "/orders/8"));
    }
}
