// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import java.time.Instant;

/** What the publishers of the schemes have published; the secrets are their test values. */
final class Vectors {

    static final Instant STANDARD_TIME = Instant.ofEpochSecond(1614265330);
    static final Secret STANDARD_SECRET = Secret.of("whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    static final String STANDARD_SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    static final Secret STANDARD_PUBLIC_KEY = Secret.of("whpk_" + "1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=");
    static final String STANDARD_ASYMMETRIC_SIGNATURE =
            "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";
    static final String STRIPE_SIGNATURE = "af4ead0627a34a8cca29808e8de9ada8e41a92e6237c63cef6eacf51d36cca34";
    static final Secret STRIPE_SECRET = Secret.of("whsec_test_secret");

    private Vectors() {}

    static TestDelivery standard() {
        return standard("{\"test\": 2432232314}");
    }

    static TestDelivery standard(String body) {
        return new TestDelivery(body)
                .with("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
                .with("webhook-timestamp", "1614265330")
                .with("webhook-signature", STANDARD_SIGNATURE);
    }

    static TestDelivery stripe() {
        return stripe("t=1614265330,v1=" + STRIPE_SIGNATURE);
    }

    static TestDelivery stripe(String signature) {
        return new TestDelivery("{\n  \"id\": \"evt_test_webhook\",\n  \"object\": \"event\"\n}")
                .with("Stripe-Signature", signature);
    }

    static TestDelivery slack() {
        return new TestDelivery("token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow"
                        + "&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner"
                        + "&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands"
                        + "%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
                        + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c")
                .with("X-Slack-Request-Timestamp", "1531420618")
                .with("X-Slack-Signature", "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503");
    }
}
