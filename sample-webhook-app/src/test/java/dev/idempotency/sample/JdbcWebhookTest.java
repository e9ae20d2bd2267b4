// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ActiveProfiles;

/** The same with records in the database. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "spring.datasource.url=jdbc:h2:mem:jdbc-profile;DB_CLOSE_DELAY=-1")
@ActiveProfiles("jdbc")
class JdbcWebhookTest extends WebhookTest {}
