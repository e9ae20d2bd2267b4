// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idempotency.encryption.EncryptionKey;
import dev.idempotency.encryption.PayloadEncryption;
import dev.idempotency.spring.autoconfigure.TestApplications.Orders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class EncryptionPropertiesTest {

    private static final String SECRET = "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U=";

    private final WebApplicationContextRunner web = TestApplications.web(Orders.class);

    @Test
    void withoutAKeyNothingIsEncrypted() {
        web.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PayloadEncryption.class));
    }

    @Test
    void theFirstKeyEncryptsAndAllAreThere() {
        web.withPropertyValues(
                        "idempotency.encryption.keys[0].id=new",
                        "idempotency.encryption.keys[0].secret=" + SECRET,
                        "idempotency.encryption.keys[1].id=old",
                        "idempotency.encryption.keys[1].secret=" + SECRET)
                .run(context -> assertThat(context.getBean(PayloadEncryption.class))
                        .hasToString("encryption with new of [new, old]"));
    }

    @Test
    void keysMayComeFromTheProcessEnvironment() {
        Map<String, Object> environment =
                Map.of("IDEMPOTENCY_ENCRYPTION_KEYS_0_ID", "k", "IDEMPOTENCY_ENCRYPTION_KEYS_0_SECRET", SECRET);
        web.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", environment)))
                .run(context ->
                        assertThat(context.getBean(PayloadEncryption.class)).hasToString("encryption with k of [k]"));
    }

    @Test
    void anEncryptionOfTheApplicationsOwnIsUsed() {
        PayloadEncryption own =
                new PayloadEncryption(List.of(new EncryptionKey("vault", new byte[EncryptionKey.SECRET_BYTES])));
        web.withBean(PayloadEncryption.class, () -> own)
                .withPropertyValues(
                        "idempotency.encryption.keys[0].id=k", "idempotency.encryption.keys[0].secret=" + SECRET)
                .run(context ->
                        assertThat(context.getBean(PayloadEncryption.class)).isSameAs(own));
    }

    @Test
    void secretsAreInNoText() {
        web.withPropertyValues("idempotency.encryption.keys[0].id=k", "idempotency.encryption.keys[0].secret=" + SECRET)
                .run(context -> assertThat(
                                context.getBean(IdempotencyProperties.class).toString())
                        .contains("key k")
                        .doesNotContain(SECRET));
    }
}
