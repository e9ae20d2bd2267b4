// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.web;

import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;

/** Sees to it that no claim outlives its request, whatever the application or the container did to it. */
public final class ExchangeListener implements ServletRequestListener {

    @Override
    public void requestDestroyed(ServletRequestEvent event) {
        Exchange exchange = Exchange.of(event.getServletRequest());
        if (exchange != null) {
            exchange.abandon();
        }
    }
}
