// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.json.JsonPointer;
import org.junit.jupiter.api.Test;

class PresetTest {

    @Test
    void presetsAreKnownByTheirNames() {
        assertThat(Preset.all().stream().map(Preset::name))
                .containsExactly("standard-webhooks", "svix", "stripe", "github", "shopify", "square", "slack");
        assertThat(Preset.named("stripe")).contains(Preset.STRIPE);
        assertThat(Preset.named("Stripe")).isEmpty();
    }

    @Test
    void onlySquareSignsItsAddress() {
        assertThat(Preset.all().stream().filter(Preset::signsUrl)).containsExactly(Preset.SQUARE);
        assertThatThrownBy(() ->
                        SignatureSchemes.hmac("X").signedContent("{url}{body}").build())
                .hasMessageStartingWith("url must be given");
    }

    @Test
    void aPlaceIsTheBodyAPointerAFormParameterOrAHeader() {
        assertThat(EventIdPlace.parse("/data/id")).isEqualTo(new EventIdPlace.Member(JsonPointer.parse("/data/id")));
        assertThat(EventIdPlace.parse("form:id")).isEqualTo(new EventIdPlace.FormParameter("id"));
        assertThat(EventIdPlace.parse("body")).isEqualTo(new EventIdPlace.WholeBody());
        assertThat(EventIdPlace.parse("X-Id")).isEqualTo(new EventIdPlace.Header("X-Id"));
        for (String wrong : new String[] {"", " ", "form:", "/a~2"}) {
            assertThatThrownBy(() -> EventIdPlace.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aRepeatOfWhatIsRunningIsNeverASuccess() {
        assertThatThrownBy(() -> new Acknowledgement("text/plain", "", 200))
                .hasMessage("running-status must be from 400 to 599, or the sender would not come back, but is 200");
    }
}
