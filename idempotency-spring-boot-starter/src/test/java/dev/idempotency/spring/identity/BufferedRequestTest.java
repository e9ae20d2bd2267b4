// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.idempotency.spring.problem.ProblemType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UnsupportedEncodingException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.DelegatingServletInputStream;
import org.springframework.mock.web.MockHttpServletRequest;

class BufferedRequestTest {

    private static final String FORM = "application/x-www-form-urlencoded";

    /** A request whose declared length and body are what a test says, whether or not they fit. */
    private static final class Incoming extends MockHttpServletRequest {

        private final long declared;
        private final CountingStream in;

        Incoming(long declared, byte[] body, int atATime) {
            super("POST", "/orders");
            this.declared = declared;
            this.in = new CountingStream(body, atATime);
        }

        @Override
        public long getContentLengthLong() {
            return declared;
        }

        @Override
        public ServletInputStream getInputStream() {
            return new DelegatingServletInputStream(in) {
                @Override
                public int read(byte[] target, int offset, int length) {
                    return in.read(target, offset, length);
                }
            };
        }
    }

    private static final class CountingStream extends InputStream {

        private final ByteArrayInputStream in;
        private final int atATime;
        private int count;

        private int largestArray;

        CountingStream(byte[] body, int atATime) {
            this.in = new ByteArrayInputStream(body);
            this.atATime = atATime;
        }

        @Override
        public int read() {
            count++;
            return in.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            largestArray = Math.max(largestArray, target.length);
            int read = in.read(target, offset, Math.min(length, atATime));
            count += Math.max(read, 0);
            return read;
        }
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        return bytes;
    }

    private static MockHttpServletRequest form(String body, String contentType) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/transfer");
        request.setContentType(contentType);
        request.setContent(body.getBytes(ISO_8859_1));
        return request;
    }

    private static BufferedRequest buffered(MockHttpServletRequest request) throws Exception {
        return new BufferedRequest(request, 1000, true);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1023, 1024, 1025, 2048, 4097, 5000})
    void bodyIsReadToItsEndWhetherOrNotItsLengthIsDeclared(int length) throws Exception {
        byte[] body = bytes(length);
        for (int atATime : new int[] {1, 1000, Integer.MAX_VALUE}) {
            assertThat(new BufferedRequest(new Incoming(length, body, atATime), 5000, true).body())
                    .isEqualTo(body);
            assertThat(new BufferedRequest(new Incoming(-1, body, atATime), 5000, true).body())
                    .isEqualTo(body);
        }
    }

    @Test
    void nothingIsReadIfTheDeclaredLengthIsZeroOrTooLarge() throws Exception {
        Incoming empty = new Incoming(0, bytes(5), 5);
        assertThat(new BufferedRequest(empty, 10, true).body()).isEmpty();
        assertThat(empty.in.count).isZero();

        Incoming tooLarge = new Incoming(11, bytes(11), 5);
        InvalidRequestException refusal =
                catchThrowableOfType(InvalidRequestException.class, () -> new BufferedRequest(tooLarge, 10, true));
        assertThat(refusal).hasMessageContaining("10 bytes");
        assertThat(refusal.problem()).isEqualTo(ProblemType.BODY_TOO_LARGE);
        assertThat(tooLarge.in.count).isZero();
    }

    @Test
    void lengthBeyondAnIntegerIsTooLarge() {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> new BufferedRequest(new Incoming(1L << 32, bytes(1), 1), 10, true));
    }

    @Test
    void bodyOfUnknownLengthIsGivenUpAtTheFirstByteOverTheBound() throws Exception {
        for (int max : new int[] {1, 1023, 1024, 3000}) {
            assertThat(new BufferedRequest(new Incoming(-1, bytes(max), 100), max, true).body())
                    .hasSize(max);
            Incoming endless = new Incoming(-1, bytes(100_000), Integer.MAX_VALUE);
            InvalidRequestException refusal =
                    catchThrowableOfType(InvalidRequestException.class, () -> new BufferedRequest(endless, max, true));
            assertThat(refusal.problem()).isEqualTo(ProblemType.BODY_TOO_LARGE);
            assertThat(endless.in.count).isEqualTo(max + 1);
        }
    }

    @Test
    void bodyShorterThanDeclaredIsWhatCame() throws Exception {
        assertThat(new BufferedRequest(new Incoming(10, bytes(4), 3), 10, true).body())
                .isEqualTo(bytes(4));
    }

    @Test
    void bodyThatAFilterHasInflatedIsReadToItsEnd() throws Exception {
        assertThat(new BufferedRequest(new Incoming(4, bytes(10), 3), 10, true).body())
                .isEqualTo(bytes(10));
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> new BufferedRequest(new Incoming(4, bytes(11), 3), 10, true));
    }

    @Test
    void memoryIsTakenForWhatHasComeAndNotForWhatIsAnnounced() throws Exception {
        for (int length : new int[] {-1, 1_000_000}) {
            Incoming slow = new Incoming(length, bytes(10), 1);
            new BufferedRequest(slow, 1_000_000, true);
            assertThat(slow.in.largestArray).isLessThanOrEqualTo(16 * 1024);
        }
        Incoming small = new Incoming(100, bytes(100), 100);
        assertThat(new BufferedRequest(small, 1_000_000, true).body()).hasSize(100);
        assertThat(small.in.largestArray).isEqualTo(100);
    }

    @Test
    void streamGivesTheSameBytesAndSoDoesAnotherPass() throws Exception {
        BufferedRequest request = new BufferedRequest(new Incoming(9, bytes(9), 9), 10, true);
        ServletInputStream in = request.getInputStream();
        assertThat(in.isFinished()).isFalse();
        assertThat(in.isReady()).isTrue();
        assertThat(in.available()).isEqualTo(9);
        assertThat(in.read()).isEqualTo(bytes(9)[0]);
        assertThat(in.readAllBytes()).hasSize(8);
        assertThat(in.isFinished()).isTrue();
        assertThat(in.read()).isEqualTo(-1);
        assertThat(request.getInputStream()).isSameAs(in);
        assertThat(new BufferedRequest(request).getInputStream().readAllBytes()).isEqualTo(bytes(9));
    }

    @Test
    void bytesAboveAsciiAreNotTakenForTheEnd() throws Exception {
        BufferedRequest request = new BufferedRequest(new Incoming(2, new byte[] {(byte) 0xff, 1}, 2), 10, true);
        assertThat(request.getInputStream().read()).isEqualTo(0xff);
    }

    @Test
    void readListenerHearsOfDataAndItsEnd() throws Exception {
        List<String> heard = new ArrayList<>();
        ServletInputStream in = new BufferedRequest(new Incoming(3, bytes(3), 3), 10, true).getInputStream();
        in.setReadListener(listener(heard, in));
        assertThat(heard).containsExactly("data", "end");

        heard.clear();
        ServletInputStream empty = new BufferedRequest(new Incoming(0, bytes(0), 1), 10, true).getInputStream();
        empty.setReadListener(listener(heard, empty));
        assertThat(heard).containsExactly("end");
    }

    private static ReadListener listener(List<String> heard, ServletInputStream in) {
        return new ReadListener() {
            @Override
            public void onDataAvailable() throws IOException {
                heard.add("data");
                in.readAllBytes();
            }

            @Override
            public void onAllDataRead() {
                heard.add("end");
            }

            @Override
            public void onError(Throwable thrown) {
                heard.add("error");
            }
        };
    }

    @Test
    void streamAndReaderExcludeEachOther() throws Exception {
        BufferedRequest streamed = buffered(form("a=1", "text/plain"));
        assertThat(streamed.getInputStream()).isSameAs(streamed.getInputStream());
        assertThatIllegalStateException().isThrownBy(streamed::getReader);

        BufferedRequest read = buffered(form("a=1", "text/plain"));
        assertThat(read.getReader()).isSameAs(read.getReader());
        assertThatIllegalStateException().isThrownBy(read::getInputStream);
    }

    @Test
    void readerDecodesByTheDeclaredCharsetOrLatin1() throws Exception {
        assertThat(buffered(form("\u00c3\u00a4", "text/plain;charset=UTF-8"))
                        .getReader()
                        .readLine())
                .isEqualTo("\u00e4");
        assertThat(buffered(form("\u00e4", "text/plain")).getReader().readLine())
                .isEqualTo("\u00e4");
    }

    @Test
    void charsetSetBeforeTheReaderIsTakenCounts() throws Exception {
        BufferedRequest request = buffered(form("\u00c3\u00a4", "text/plain"));
        request.setCharacterEncoding("UTF-8");
        assertThat(request.getReader().readLine()).isEqualTo("\u00e4");
    }

    @Test
    void readerOfAnUnknownCharsetFailsAsTheContainersDoes() throws Exception {
        BufferedRequest request = buffered(form("a", "text/plain;charset=no-such"));
        assertThatExceptionOfType(UnsupportedEncodingException.class).isThrownBy(request::getReader);
        BufferedRequest illegal = buffered(form("a", "text/plain"));
        illegal.setCharacterEncoding("no such!");
        assertThatExceptionOfType(UnsupportedEncodingException.class).isThrownBy(illegal::getReader);
    }

    @Test
    void formOfAnUnknownCharsetStillHasItsParameters() throws Exception {
        BufferedRequest request = buffered(form("a=1", FORM + ";charset=no-such"));
        assertThat(request.getParameter("a")).isEqualTo("1");
    }

    @Test
    void formParametersAreThereInAllFourWays() throws Exception {
        BufferedRequest request = buffered(form("amount=10&to=bob&tag=a&tag=b", FORM));
        assertThat(request.getParameter("amount")).isEqualTo("10");
        assertThat(request.getParameter("tag")).isEqualTo("a");
        assertThat(request.getParameter("none")).isNull();
        assertThat(request.getParameterValues("tag")).containsExactly("a", "b");
        assertThat(request.getParameterValues("none")).isNull();
        assertThat(Collections.list(request.getParameterNames())).containsExactly("amount", "to", "tag");
        assertThat(request.getParameterMap()).containsOnlyKeys("amount", "to", "tag");
    }

    @Test
    void valuesOfTheQueryComeBeforeThoseOfTheForm() throws Exception {
        MockHttpServletRequest raw = form("a=form&b=form", FORM);
        raw.addParameter("a", "query");
        raw.addParameter("q", "query");
        BufferedRequest request = buffered(raw);
        assertThat(request.getParameterValues("a")).containsExactly("query", "form");
        assertThat(Collections.list(request.getParameterNames())).containsExactly("a", "q", "b");
        assertThat(raw.getParameterValues("a")).containsExactly("query");
    }

    @Test
    void parameterMapCannotBeChanged() throws Exception {
        Map<String, String[]> parameters = buffered(form("a=1", FORM)).getParameterMap();
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(parameters::clear);
    }

    @Test
    void formTextIsDecodedByTheRequestsCharset() throws Exception {
        assertThat(buffered(form("a=%C3%A4", FORM + "; charset=UTF-8")).getParameter("a"))
                .isEqualTo("\u00e4");
        assertThat(buffered(form("a=%E4", FORM)).getParameter("a")).isEqualTo("\u00e4");
    }

    @Test
    void formBodyIsStillThereAsAStream() throws Exception {
        BufferedRequest request = buffered(form("a=1", FORM));
        assertThat(request.getParameter("a")).isEqualTo("1");
        assertThat(request.getInputStream().readAllBytes()).isEqualTo("a=1".getBytes(UTF_8));
    }

    @Test
    void onlyAFormThatIsPostedGivesParameters() throws Exception {
        MockHttpServletRequest put = form("a=1", FORM);
        put.setMethod("PUT");
        assertThat(buffered(put).getParameter("a")).isNull();
        assertThat(buffered(form("a=1", "text/plain")).getParameter("a")).isNull();
    }

    @Test
    void parametersOfABodyThatSomebodyReadBeforeAreTheContainers() throws Exception {
        MockHttpServletRequest read = form("", FORM);
        read.addParameter("a", "1");
        assertThat(buffered(read).getParameter("a")).isEqualTo("1");
        assertThat(Collections.list(buffered(read).getParameterNames())).containsExactly("a");
    }

    @Test
    void multipartBodyStaysWithTheContainer() throws Exception {
        MockHttpServletRequest raw = form("--x--", "Multipart/Form-Data; boundary=x");
        BufferedRequest request = buffered(raw);
        assertThat(request.isMultipart()).isTrue();
        assertThat(request.body()).isEmpty();
        assertThat(request.getInputStream().readAllBytes()).isEqualTo("--x--".getBytes(UTF_8));
        assertThat(buffered(form("--x--", "multipart/form-data; boundary=x"))
                        .getReader()
                        .readLine())
                .isEqualTo("--x--");
    }

    @Test
    void multipartBodyOverTheBoundIsRefused() {
        MockHttpServletRequest raw = form("0123456789", "multipart/form-data; boundary=x");
        InvalidRequestException refusal =
                catchThrowableOfType(InvalidRequestException.class, () -> new BufferedRequest(raw, 9, true));
        assertThat(refusal.problem()).isEqualTo(ProblemType.BODY_TOO_LARGE);
    }

    @Test
    void mediaTypeIsInLowerCaseAndWithoutParameters() throws Exception {
        assertThat(buffered(form("", " Application/JSON ; charset=UTF-8")).mediaType())
                .isEqualTo("application/json");
        assertThat(buffered(new MockHttpServletRequest()).mediaType()).isEmpty();
    }

    @Test
    void ofASignedFormTheQueryStringHidesNothing() throws Exception {
        MockHttpServletRequest request = form("payload=signed", FORM);
        request.setQueryString("payload=forged&page=2");
        request.addParameter("payload", "forged");
        request.addParameter("page", "2");
        BufferedRequest signed = BufferedRequest.ofSigned(request, 1000);

        for (BufferedRequest read : List.of(signed, new BufferedRequest(signed), BufferedRequest.of(signed, 1, true))) {
            assertThat(read.getParameterValues("payload")).containsExactly("signed");
            assertThat(read.getParameter("page")).isEqualTo("2");
            assertThat(read.formValues("payload")).containsExactly("signed");
            assertThat(read.formValues("page")).isEmpty();
            assertThat(read.getInputStream().readAllBytes()).isEqualTo("payload=signed".getBytes(UTF_8));
        }
    }

    @Test
    void parametersAreNotReadTwiceBehindAnotherWrapper() throws Exception {
        BufferedRequest signed = BufferedRequest.ofSigned(form("a=1&b=2", FORM), 1000);
        BufferedRequest again = BufferedRequest.of(new HttpServletRequestWrapper(signed), 1000, true);

        assertThat(again.getParameterValues("a")).containsExactly("1");
        assertThat(again.body()).isEqualTo("a=1&b=2".getBytes(UTF_8));
    }

    @Test
    void aSignedMultipartBodyIsNotTakenApart() throws Exception {
        MockHttpServletRequest request = form("--x\r\n", "multipart/form-data; boundary=x");
        BufferedRequest signed = BufferedRequest.ofSigned(request, 1000);

        assertThat(signed.getParts()).isEmpty();
        assertThat(signed.getPart("file")).isNull();
        assertThat(signed.body()).isEqualTo("--x\r\n".getBytes(UTF_8));
    }
}
