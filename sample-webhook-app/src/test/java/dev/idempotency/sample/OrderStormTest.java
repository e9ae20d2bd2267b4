// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import dev.idempotency.tck.storm.RetryStormExtension;
import dev.idempotency.tck.storm.SenderSchedule;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class OrderStormTest {

    @LocalServerPort
    int port;

    @Autowired
    JdbcClient jdbc;

    @RegisterExtension
    final RetryStormExtension storms = RetryStormExtension.at(() -> "http://localhost:" + port);

    @Test
    void ordersArePushedOnceHoweverOftenTheShopSendsThem() {
        storms.on("/webhooks/orders")
                .deliveries(200)
                .body("{\"order_id\": {n}, \"total_price\": \"9.90\", \"currency\": \"EUR\"}")
                .schedule(SenderSchedule.STRIPE)
                .compressTo(Duration.ofSeconds(2))
                .duplicates(4)
                .reorder()
                .dropReplies(0.1)
                .effectIds(() -> jdbc.sql("select operation from effect where biz_type = 'create_order'")
                        .query(String.class)
                        .list())
                .effectId("{n}")
                .run()
                .eachEffectHappenedOnce()
                .everyDeliveryWasAcknowledged()
                .everyRepeatGotTheFirstAnswer()
                .everyRepeatIsMarked()
                .onlyStatuses(201, 409);
    }
}
