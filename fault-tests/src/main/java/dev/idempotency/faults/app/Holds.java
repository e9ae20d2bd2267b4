// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.app;

/** Holds a call up where its sender has asked for it, until the driver lets it go. May be used from any thread. */
final class Holds {

    private final DriverLine driver;

    Holds(DriverLine driver) {
        this.driver = driver;
    }

    void at(Point point) {
        CurrentCall call = CurrentCall.get();
        if (call != null && call.hold().equals(point.name())) {
            driver.say("at", point, call.number());
        }
    }
}
