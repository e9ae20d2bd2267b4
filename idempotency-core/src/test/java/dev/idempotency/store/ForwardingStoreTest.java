// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.store;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class ForwardingStoreTest {

    /** One with a default would else be lost in front of a store that has its own. */
    @Test
    void everyStepOfAStoreIsHandedOn() {
        for (Method step : IdempotencyStore.class.getMethods()) {
            assertThatCode(() -> ForwardingStore.class.getDeclaredMethod(step.getName(), step.getParameterTypes()))
                    .as(step.toString())
                    .doesNotThrowAnyException();
        }
    }
}
