// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.webhook.Encoding;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of webhooks.
 *
 * @param senders Who sends webhooks, by a name that is also the bizType of their events if biz-type does not say otherwise.
 */
public record WebhookProperties(@DefaultValue Map<String, Sender> senders) {

    /**
     * Somebody who sends webhooks.
     *
     * @param preset Known sender: standard-webhooks, svix, stripe, github, shopify, square or slack.
     * @param secret Secret that the sender signs with, or its public key (whpk_).
     * @param secrets Further secrets that are valid as well, while one is being replaced by another.
     * @param paths Path patterns that the sender sends to. A servlet's own path is part of them, the context path is not.
     *     Whatever comes there, with any method, is verified.
     * @param bizType BizType of its events, where no annotation or route gives another. Default: the sender's name.
     * @param tolerance How far a signature's time may be from now; 0 switches the check off. Default: as the preset says, 5m.
     * @param retrySchedule Waits between the sender's attempts, such as 1s,5s,30s,5m, instead of the preset's.
     * @param retryWindow How long the sender goes on trying. Default: the sum of retry-schedule, otherwise as the preset says.
     * @param eventId Places of the event's id, the first that has one counts: JSON pointers, form: and a parameter of a form
     *     body, headers, or body, where the same bytes are the same event. None leaves the endpoint to its own idempotency
     *     key and business id. Default: as the preset says.
     * @param ignore JSON pointers of what differs between attempts, besides those of the preset.
     * @param url Address that the sender was told to send to, where it signs that as well.
     * @param hmac How the sender signs, if there is no preset for it.
     * @param acknowledgement What the sender is told of repeats.
     */
    public record Sender(
            @Nullable String preset,
            @Nullable String secret,
            @DefaultValue List<String> secrets,
            @DefaultValue List<String> paths,
            @Nullable String bizType,
            @Nullable Duration tolerance,
            @DefaultValue List<Duration> retrySchedule,
            @Nullable Duration retryWindow,
            @DefaultValue List<String> eventId,
            @DefaultValue List<String> ignore,
            @Nullable String url,
            @Nullable Hmac hmac,
            @DefaultValue Repeats acknowledgement) {

        /** Without the secrets. */
        @Override
        public String toString() {
            return "Sender[preset=" + preset + ", paths=" + paths + "]";
        }
    }

    /**
     * How a sender signs: with a keyed hash, written into a header.
     *
     * @param signatureHeader Header that carries the signature.
     * @param algorithm HmacSHA256, HmacSHA384, HmacSHA512 or HmacSHA1.
     * @param encoding How the signature is written: hex or base64.
     * @param prefix What stands before each signature, such as sha256=; signatures with another prefix are skipped.
     * @param separator What stands between signatures, if one line may have several.
     * @param signedContent Bytes that are signed: text with {body} in it once and, if they are signed, {id}, {timestamp}, {url}.
     * @param idHeader Header that {id} stands for.
     * @param timestampHeader Header that {timestamp} stands for.
     * @param timestampPrefix What stands before the time stamp if it is an element of the signature header, such as t=.
     * @param milliseconds Whether time stamps count milliseconds, not seconds.
     * @param secretEncoding How the secret is written: text, hex or base64.
     * @param secretPrefix What stands before the secret and is no part of the key.
     */
    public record Hmac(
            @Nullable String signatureHeader,
            @DefaultValue("HmacSHA256") String algorithm,
            @DefaultValue("hex") Encoding encoding,
            @DefaultValue("") String prefix,
            @DefaultValue("") String separator,
            @DefaultValue("{body}") String signedContent,
            @Nullable String idHeader,
            @Nullable String timestampHeader,
            @Nullable String timestampPrefix,
            @DefaultValue("false") boolean milliseconds,
            @DefaultValue("text") Encoding secretEncoding,
            @DefaultValue("") String secretPrefix) {}

    /**
     * What a sender is told of repeats.
     *
     * @param runningStatus Status while the first attempt is running, 400 to 599, so that the sender tries again.
     * @param contentType Content type of body.
     * @param body What the sender takes for success, sent with 200 for a finished event whose answer was not kept.
     */
    public record Repeats(
            @DefaultValue("409") int runningStatus,
            @DefaultValue("text/plain") String contentType,
            @DefaultValue("") String body) {}
}
