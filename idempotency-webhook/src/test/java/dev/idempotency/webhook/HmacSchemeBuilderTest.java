// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemes that nobody has a preset for. */
class HmacSchemeBuilderTest {

    private static final Secret SECRET = Secret.of("key");
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

    private static String hex(String algorithm, String key, String content) throws Exception {
        Mac mac = Mac.getInstance(algorithm);
        mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), algorithm));
        return HexFormat.of().formatHex(mac.doFinal(content.getBytes(StandardCharsets.UTF_8)));
    }

    private static void assertVerified(SignatureScheme scheme, TestDelivery delivery, Secret secret) {
        assertThat(scheme.verify(delivery, List.of(secret), NOW)).isEqualTo(new Verification.Verified());
    }

    @Test
    void theUsualIsHmacSha256OfTheBodyInHexadecimal() throws Exception {
        SignatureScheme scheme = SignatureSchemes.hmac("X-Sign").build();
        String signature = hex("HmacSHA256", "key", "body");

        assertVerified(scheme, new TestDelivery("body").with("x-sign", signature), SECRET);
        assertVerified(
                scheme, new TestDelivery("body").with("x-sign", signature.toUpperCase(java.util.Locale.ROOT)), SECRET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HmacSHA1", "HmacSHA384", "HmacSHA512", "hmac-sha512", "HMACSHA256"})
    void otherAlgorithmsAreChosenByName(String algorithm) throws Exception {
        SignatureScheme scheme =
                SignatureSchemes.hmac("X-Sign").algorithm(algorithm).build();

        assertVerified(
                scheme,
                new TestDelivery("body").with("X-Sign", hex(algorithm.replace("-", ""), "key", "body")),
                SECRET);
    }

    @Test
    void idTimestampAndAddressMayBeSignedInAnyOrder() throws Exception {
        SignatureScheme scheme = SignatureSchemes.hmac("X-Sign")
                .signedContent("{url}|{timestamp}|{body}|{id}|v9")
                .url("https://example.org/in?x={y}")
                .idHeader("X-Id")
                .timestampHeader("X-Time")
                .milliseconds()
                .prefix("v9:")
                .separator(";")
                .build();
        String signature = hex("HmacSHA256", "key", "https://example.org/in?x={y}|1700000000000|body|a b|v9");

        assertVerified(
                scheme,
                new TestDelivery("body")
                        .with("X-Id", "a b")
                        .with("X-Time", "1700000000000")
                        .with("X-Sign", "v8:00; v9:" + signature),
                SECRET);
    }

    @Test
    void secretsMayBeWrittenInOtherWays() throws Exception {
        TestDelivery delivery = new TestDelivery("body").with("X-Sign", hex("HmacSHA256", "key", "body"));
        HmacSchemeBuilder builder = SignatureSchemes.hmac("X-Sign");

        assertVerified(builder.secretEncoding(Encoding.HEX).build(), delivery, Secret.of("6b6579"));
        assertVerified(builder.secretEncoding(Encoding.BASE64).build(), delivery, Secret.of("a2V5"));
        assertVerified(builder.secretPrefix("sk_").build(), delivery, Secret.of("sk_a2V5"));
        assertThatThrownBy(() -> builder.build().requireUsable(Secret.of("sk_%secret%")))
                .hasMessage("must be the key in base64")
                .hasNoCause();
    }

    @Test
    void whatDoesNotFitTogetherIsRefused() {
        HmacSchemeBuilder builder = SignatureSchemes.hmac("X-Sign");
        assertThatThrownBy(() -> builder.algorithm("md5"))
                .hasMessage("algorithm must be one of HmacSHA256, HmacSHA384, HmacSHA512, HmacSHA1, but is md5");
        assertThatThrownBy(() -> builder.encoding(Encoding.TEXT)).hasMessageContaining("hex or base64");
        assertThatThrownBy(() -> builder.signedContent("{timestamp}").build())
                .hasMessage("signed-content must contain {body} once, but is {timestamp}");
        assertThatThrownBy(() -> builder.signedContent("{body}{body}").build()).hasMessageContaining("once");
        assertThatThrownBy(() -> builder.signedContent("{timestamp}.{body}").build())
                .hasMessage(
                        "timestamp-header or timestamp-prefix must be given, as signed-content is {timestamp}.{body}");
        assertThatThrownBy(
                        () -> builder.signedContent("{body}").idHeader("X-Id").build())
                .hasMessage("signed-content must contain {id}, as id-header is given, but is {body}");
    }
}
