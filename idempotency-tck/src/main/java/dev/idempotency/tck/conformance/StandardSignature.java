// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.conformance;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs with the secret that Standard Webhooks publishes for tests, {@code whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw}. */
final class StandardSignature {

    private static final byte[] SECRET = Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

    private StandardSignature() {}

    static String of(String id, String timestamp, String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
            byte[] signed = (id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8);
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
