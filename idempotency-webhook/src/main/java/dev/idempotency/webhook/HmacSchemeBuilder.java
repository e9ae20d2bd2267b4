// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Describes a scheme that signs with a keyed hash. What is not said is as with most senders: HMAC-SHA256 over the raw body,
 * written in hexadecimal digits, with the secret's text as the key.
 */
public final class HmacSchemeBuilder {

    private static final List<String> ALGORITHMS = List.of("HmacSHA256", "HmacSHA384", "HmacSHA512", "HmacSHA1");

    private final String signatureHeader;
    private String algorithm = HmacVersion.HMAC_SHA256;
    private Encoding encoding = Encoding.HEX;
    private Encoding secretEncoding = Encoding.TEXT;
    private String secretPrefix = "";
    private String prefix = "";
    private String separator = "";
    private String signedContent = SignedContent.BODY;
    private @Nullable String url;
    private @Nullable String idHeader;
    private @Nullable String timestampHeader;
    private @Nullable String timestampPrefix;
    private boolean milliseconds;

    HmacSchemeBuilder(String signatureHeader) {
        this.signatureHeader = signatureHeader;
    }

    /** HmacSHA256, HmacSHA384, HmacSHA512, or HmacSHA1, which is for old senders only; in any case. */
    public HmacSchemeBuilder algorithm(String algorithm) {
        this.algorithm = ALGORITHMS.stream()
                .filter(known -> known.equalsIgnoreCase(algorithm.replace("-", "")))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(
                        "algorithm must be one of " + String.join(", ", ALGORITHMS) + ", but is " + algorithm));
        return this;
    }

    /** How signatures are written. */
    public HmacSchemeBuilder encoding(Encoding encoding) {
        if (encoding == Encoding.TEXT) {
            throw new IllegalArgumentException("encoding must be hex or base64, but is text");
        }
        this.encoding = encoding;
        return this;
    }

    /** How secrets are written. */
    public HmacSchemeBuilder secretEncoding(Encoding secretEncoding) {
        this.secretEncoding = secretEncoding;
        return this;
    }

    /** What stands before every secret and is no part of the key; a secret without it is taken as it is. */
    public HmacSchemeBuilder secretPrefix(String secretPrefix) {
        this.secretPrefix = secretPrefix;
        return this;
    }

    /** What stands before each signature, such as {@code sha256=}; signatures with another prefix are skipped. */
    public HmacSchemeBuilder prefix(String prefix) {
        this.prefix = prefix;
        return this;
    }

    /** What stands between signatures, if there may be several in one line. */
    public HmacSchemeBuilder separator(String separator) {
        this.separator = separator;
        return this;
    }

    /** The signed bytes, with {@code {body}} in it once and, if they are signed, {@code {id}}, {@code {timestamp}}, {@code {url}}. */
    public HmacSchemeBuilder signedContent(String signedContent) {
        this.signedContent = signedContent;
        return this;
    }

    /** The address that {@code {url}} stands for. */
    public HmacSchemeBuilder url(String url) {
        this.url = url;
        return this;
    }

    /** The header that {@code {id}} stands for. */
    public HmacSchemeBuilder idHeader(String idHeader) {
        this.idHeader = idHeader;
        return this;
    }

    /** The header that {@code {timestamp}} stands for. */
    public HmacSchemeBuilder timestampHeader(String timestampHeader) {
        this.timestampHeader = timestampHeader;
        return this;
    }

    /** What stands before the time stamp if it is an element of the signature header, such as {@code t=}. */
    public HmacSchemeBuilder timestampPrefix(String timestampPrefix) {
        this.timestampPrefix = timestampPrefix;
        return this;
    }

    /** The time stamp counts milliseconds, not seconds. */
    public HmacSchemeBuilder milliseconds() {
        this.milliseconds = true;
        return this;
    }

    /**
     * The scheme.
     *
     * @throws IllegalArgumentException if something is signed of which nobody has said where it is, or is said of what is not
     *     signed
     */
    public SignatureScheme build() {
        SignedContent content;
        try {
            content = SignedContent.parse(signedContent);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("signed-content " + e.getMessage() + ", but is " + signedContent, e);
        }
        SignatureHeader header = new SignatureHeader(signatureHeader, separator);
        requireBoth(content, SignedContent.URL, url, "url");
        requireBoth(content, SignedContent.ID, idHeader, "id-header");
        requireBoth(
                content,
                SignedContent.TIMESTAMP,
                timestampHeader == null ? timestampPrefix : timestampHeader,
                "timestamp-header or timestamp-prefix");
        SignedContent complete =
                url == null ? content : SignedContent.parse(signedContent.replace(SignedContent.URL, url));
        return new HeaderScheme(
                header,
                new SignedFrame(
                        complete,
                        idHeader == null ? new SignedValue.Absent() : new SignedValue.InHeader(idHeader),
                        timestamp(header),
                        milliseconds,
                        new Tolerance(Tolerance.USUAL, true)),
                List.of(new HmacVersion(prefix, algorithm, encoding, this::key)));
    }

    private SignedValue timestamp(SignatureHeader header) {
        if (timestampHeader != null) {
            return new SignedValue.InHeader(timestampHeader);
        }
        return timestampPrefix == null
                ? new SignedValue.Absent()
                : new SignedValue.BesideSignature(header, timestampPrefix);
    }

    private void requireBoth(SignedContent content, String placeholder, @Nullable String place, String name) {
        boolean signed = content.contains(placeholder);
        if (signed && place == null) {
            throw new IllegalArgumentException(name + " must be given, as signed-content is " + signedContent);
        }
        if (!signed && place != null) {
            throw new IllegalArgumentException("signed-content must contain " + placeholder + ", as " + name
                    + " is given, but is " + signedContent);
        }
    }

    private byte[] key(String text) {
        byte[] key;
        try {
            key = secretEncoding.decode(text.startsWith(secretPrefix) ? text.substring(secretPrefix.length()) : text);
        } catch (IllegalArgumentException e) {
            key = new byte[0]; // not kept as a cause: its message would hold a part of the secret
        }
        if (key.length == 0) {
            throw new IllegalArgumentException(
                    "must be the key in " + secretEncoding.name().toLowerCase(Locale.ROOT));
        }
        return key;
    }
}
