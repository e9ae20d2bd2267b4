// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asynchronous processing that ends its exchange when it is completed without a further dispatch. */
final class ExchangeAsyncContext implements AsyncContext {

    private static final Logger log = LoggerFactory.getLogger(ExchangeAsyncContext.class);

    private final AsyncContext context;
    private final Exchange exchange;

    ExchangeAsyncContext(AsyncContext context, Exchange exchange) {
        this.context = context;
        this.exchange = exchange;
    }

    @Override
    public void complete() {
        try {
            exchange.finish();
        } catch (IOException | ServletException e) {
            log.debug("An answer could not be sent; its record stands.", e);
        } finally {
            context.complete();
        }
    }

    @Override
    public ServletRequest getRequest() {
        return context.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
        return context.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return false;
    }

    @Override
    public void dispatch() {
        context.dispatch();
    }

    @Override
    public void dispatch(String path) {
        context.dispatch(path);
    }

    @Override
    public void dispatch(ServletContext servletContext, String path) {
        context.dispatch(servletContext, path);
    }

    @Override
    public void start(Runnable work) {
        context.start(work);
    }

    @Override
    public void addListener(AsyncListener listener) {
        context.addListener(new Relay(listener));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        context.addListener(new Relay(listener), request, response);
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return context.createListener(type);
    }

    @Override
    public void setTimeout(long timeout) {
        context.setTimeout(timeout);
    }

    @Override
    public long getTimeout() {
        return context.getTimeout();
    }

    /** Hands a listener this context instead of the container's, which knows nothing of the exchange. */
    private final class Relay implements AsyncListener {

        private final AsyncListener listener;

        Relay(AsyncListener listener) {
            this.listener = listener;
        }

        private AsyncEvent relayed(AsyncEvent event) {
            return new AsyncEvent(
                    ExchangeAsyncContext.this,
                    event.getSuppliedRequest(),
                    event.getSuppliedResponse(),
                    event.getThrowable());
        }

        @Override
        public void onComplete(AsyncEvent event) throws IOException {
            listener.onComplete(relayed(event));
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            listener.onTimeout(relayed(event));
        }

        @Override
        public void onError(AsyncEvent event) throws IOException {
            listener.onError(relayed(event));
        }

        @Override
        public void onStartAsync(AsyncEvent event) throws IOException {
            listener.onStartAsync(relayed(event));
        }
    }
}
