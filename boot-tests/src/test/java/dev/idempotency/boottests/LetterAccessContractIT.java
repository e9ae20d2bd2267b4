// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Exposing the endpoints alone lets nobody change anything. */
class LetterAccessContractIT extends HttpContract {

    @Override
    List<String> properties() {
        return List.of("management.endpoints.web.exposure.include=*");
    }

    @Test
    void readingIsAllowedAndWritingIsNot() {
        assertThat(http().call("GET", "/actuator/idempotencyletters").send().status())
                .isEqualTo(200);
        assertThat(http().post("/actuator/idempotencyletters/x")
                        .json("{\"action\":\"redrive\"}")
                        .send()
                        .status())
                .isIn(404, 405);
        assertThat(http().post("/actuator/idempotencyrecords/scripted/" + "0".repeat(64))
                        .json("{\"version\":1,\"reason\":\"x\"}")
                        .send()
                        .status())
                .isIn(404, 405);
        assertThat(http().call("GET", "/actuator/idempotencyroutes").send().status())
                .isEqualTo(200);
        assertThat(http().post("/actuator/idempotencyroutes/scripted")
                        .json("{\"reason\":\"x\"}")
                        .send()
                        .status())
                .isIn(404, 405);
    }
}
