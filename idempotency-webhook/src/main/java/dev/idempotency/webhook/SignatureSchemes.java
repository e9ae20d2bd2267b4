// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import dev.idempotency.webhook.HmacVersion.SecretFormat;
import java.util.List;

/** The schemes of known senders. */
public final class SignatureSchemes {

    /** What Standard Webhooks' secrets start with; Stripe's do as well, and are not decoded. */
    private static final String SECRET_PREFIX = "whsec_";

    private static final String PRIVATE_PREFIX = "whsk_";

    /** Standard Webhooks asks for 24 bytes; Svix's own documentation shows 18. */
    private static final int MIN_SECRET_BYTES = 16;

    private static final SecretFormat TEXT = Encoding.TEXT::decode;

    private SignatureSchemes() {}

    /** Standard Webhooks 1.0.0: {@code v1} with a shared secret, {@code v1a} with a public key. */
    public static SignatureScheme standardWebhooks() {
        return standardWebhooks("webhook-");
    }

    /** Svix and who sends through it: Standard Webhooks under header names of its own. */
    public static SignatureScheme svix() {
        return standardWebhooks("svix-");
    }

    private static SignatureScheme standardWebhooks(String names) {
        return new HeaderScheme(
                new SignatureHeader(names + "signature", " "),
                new SignedFrame(
                        SignedContent.parse("{id}.{timestamp}.{body}"),
                        new SignedValue.InHeader(names + "id"),
                        new SignedValue.InHeader(names + "timestamp"),
                        false,
                        new Tolerance(Tolerance.USUAL, true)),
                List.of(
                        new HmacVersion(
                                "v1,", HmacVersion.HMAC_SHA256, Encoding.BASE64, SignatureSchemes::standardWebhooksKey),
                        new Ed25519Version("v1a,")));
    }

    private static byte[] standardWebhooksKey(String text) {
        if (text.startsWith(PRIVATE_PREFIX)) {
            throw new IllegalArgumentException("must not be the sender's private key, but the public one");
        }
        byte[] key;
        try {
            key = Encoding.BASE64.decode(
                    text.startsWith(SECRET_PREFIX) ? text.substring(SECRET_PREFIX.length()) : text);
        } catch (IllegalArgumentException e) {
            key = new byte[0]; // not kept as a cause: its message would hold a character of the secret
        }
        if (key.length < MIN_SECRET_BYTES) {
            throw new IllegalArgumentException(
                    "must be " + SECRET_PREFIX + " and the base64 of at least " + MIN_SECRET_BYTES + " bytes");
        }
        return key;
    }

    /** Stripe: the whole text of the secret is the key; only the past is bounded. */
    public static SignatureScheme stripe() {
        SignatureHeader header = new SignatureHeader("Stripe-Signature", ",");
        return new HeaderScheme(
                header,
                new SignedFrame(
                        SignedContent.parse("{timestamp}.{body}"),
                        new SignedValue.Absent(),
                        new SignedValue.BesideSignature(header, "t="),
                        false,
                        new Tolerance(Tolerance.USUAL, false)),
                List.of(new HmacVersion("v1=", HmacVersion.HMAC_SHA256, Encoding.HEX, TEXT)));
    }

    /** GitHub: the body alone is signed, the delivery's id is not. */
    public static SignatureScheme github() {
        return hmac("X-Hub-Signature-256").prefix("sha256=").build();
    }

    /** Shopify: the body alone is signed, the event's id is not. */
    public static SignatureScheme shopify() {
        return hmac("X-Shopify-Hmac-SHA256").encoding(Encoding.BASE64).build();
    }

    /**
     * Square, which signs the address that it was told to send to as well.
     *
     * @param url that address, exactly as it stands in the sender's console
     */
    public static SignatureScheme square(String url) {
        return hmac("x-square-hmacsha256-signature")
                .encoding(Encoding.BASE64)
                .signedContent("{url}{body}")
                .url(url)
                .build();
    }

    /** Slack. */
    public static SignatureScheme slack() {
        return hmac("X-Slack-Signature")
                .prefix("v0=")
                .signedContent("v0:{timestamp}:{body}")
                .timestampHeader("X-Slack-Request-Timestamp")
                .build();
    }

    /**
     * A scheme of the usual kind: a keyed hash, as text in a header.
     *
     * @param signatureHeader name of that header
     */
    public static HmacSchemeBuilder hmac(String signatureHeader) {
        return new HmacSchemeBuilder(signatureHeader);
    }
}
