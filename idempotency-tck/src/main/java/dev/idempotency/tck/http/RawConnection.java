// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.http;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One connection to a server, over HTTP/1.1 and TLS if the target asks for it. Follows no redirect and sends nothing
 * twice. To be used by one thread at a time; {@link #close} may be called from any thread and ends what waits.
 */
public final class RawConnection implements Closeable {

    private final Target target;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private boolean reusable = true;

    private RawConnection(Target target, Socket socket) throws IOException {
        this.target = target;
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /**
     * Connects.
     *
     * @param patience how long to wait for the connection, and later for each next byte of an answer; positive, at most
     *     24 days
     * @throws IOException if there is no connection within that time
     */
    public static RawConnection open(Target target, Duration patience) throws IOException {
        int millis = Math.max(1, Math.toIntExact(patience.toMillis()));
        Socket plain = new Socket();
        try {
            plain.setTcpNoDelay(true);
            plain.setSoTimeout(millis);
            plain.connect(new InetSocketAddress(target.host(), target.port()), millis);
            return new RawConnection(target, target.secure() ? encrypted(plain, target) : plain);
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    private static Socket encrypted(Socket plain, Target target) throws IOException {
        SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        SSLSocket socket = (SSLSocket) factory.createSocket(plain, target.host(), target.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the host's name must be the certificate's
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Sends a request and reads its answer. */
    public RawAnswer exchange(RawRequest request) throws IOException {
        send(request);
        return receive(request);
    }

    /** Sends a request; when this returns, all of it is with the operating system. */
    public void send(RawRequest request) throws IOException {
        reusable = false;
        out.write(whole(request));
        out.flush();
    }

    /** Sends a request up to its last byte, so that many of them can be completed at the same moment. */
    public void sendAllButTheLastByte(RawRequest request) throws IOException {
        reusable = false;
        byte[] whole = whole(request);
        out.write(whole, 0, whole.length - 1);
        out.flush();
    }

    /** Completes a request that was sent up to its last byte. */
    public void sendTheLastByte(RawRequest request) throws IOException {
        byte[] whole = whole(request);
        out.write(whole, whole.length - 1, 1);
        out.flush();
    }

    private byte[] whole(RawRequest request) {
        byte[] head = request.head(target);
        byte[] whole = Arrays.copyOf(head, head.length + request.body().length);
        System.arraycopy(request.body(), 0, whole, head.length, request.body().length);
        return whole;
    }

    /**
     * Reads the whole answer to the request that was sent.
     *
     * @throws EOFException if the server hangs up before its end
     */
    public RawAnswer receive(RawRequest request) throws IOException {
        AnswerReader.Read read = new AnswerReader(in).read(request.method());
        reusable = read.reusable();
        return read.answer();
    }

    /** Waits until the first byte of an answer is there, and reads no more than that. */
    public void awaitFirstByte() throws IOException {
        if (in.read() < 0) {
            throw new EOFException("the server hung up without an answer");
        }
    }

    /** Whether something of an answer has come already. */
    public boolean answerHasBegun() throws IOException {
        return in.available() > 0;
    }

    /** Whether another request may be sent. */
    public boolean reusable() {
        return reusable && !socket.isClosed();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
