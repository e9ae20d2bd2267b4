// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest
class SampleWebhookApplicationTest {

    @Test
    void startsWithoutAnyServer(@Autowired DataSource dataSource) {
        assertThat(dataSource).isNotNull();
    }
}
