// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/** A request whose asynchronous processing stays part of its exchange. */
final class ExchangeRequest extends HttpServletRequestWrapper {

    private final CapturedResponse captured;
    private final Exchange exchange;

    ExchangeRequest(HttpServletRequest request, CapturedResponse captured, Exchange exchange) {
        super(request);
        this.captured = captured;
        this.exchange = exchange;
    }

    /** Without arguments the container would hand out its own response, past the captured one. */
    @Override
    public AsyncContext startAsync() {
        return startAsync(this, captured);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        if (exchange.isTransactional()) {
            throw new IllegalStateException(
                    "a transactional endpoint cannot be asynchronous: its transaction belongs to the request's thread");
        }
        return new ExchangeAsyncContext(super.startAsync(request, response), exchange);
    }

    @Override
    public boolean isAsyncSupported() {
        return !exchange.isTransactional() && super.isAsyncSupported();
    }

    @Override
    public AsyncContext getAsyncContext() {
        return new ExchangeAsyncContext(super.getAsyncContext(), exchange);
    }
}
