// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.hygiene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.key.Fingerprint;
import dev.idempotency.spring.identity.InvalidRequestException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.util.ReflectionTestUtils;

@ExtendWith(OutputCaptureExtension.class)
class KeyHygieneTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:15:30Z");

    private final List<String> heard = new ArrayList<>();
    private final KeyHygiene hygiene = hygiene(WeakKeys.REPORT);
    private int contents;

    private KeyHygiene hygiene(WeakKeys mode) {
        return new KeyHygiene(
                mode, Clock.fixed(NOW, ZoneOffset.UTC), (sender, reason) -> heard.add(sender + " " + reason.code()));
    }

    private static Fingerprint content(int number) {
        return Fingerprint.of(1, ByteBuffer.allocate(32).putInt(number).array());
    }

    /** Each with another content. */
    private void look(String key) throws InvalidRequestException {
        contents++;
        hygiene.look("orders", key, content(contents));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "test",
                "abc",
                "key-1",
                "aaaaaaaaaaaaaaaaaaaa",
                "0000-0000-0000-0000",
                "12345678",
                "ababababababababab"
            })
    void aKeyThatAnybodyWouldDrawIsNoticed(String key) throws Exception {
        look(key);
        assertThat(heard).containsExactly("orders low-entropy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-03-01T10:15",
                "2026-03-01T10:15:30.123Z",
                "20260301101530",
                "2026-03-01 09:00:00",
                "1772360130",
                "1772360130000",
                "20260302T011530Z"
            })
    void aKeyThatIsTheTimeIsNoticed(String key) throws Exception {
        look(key);
        assertThat(heard).hasSize(1);
        assertThat(heard.get(0)).isIn("orders clock", "orders low-entropy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evt_1NG8Du2eZvKYlo2CUI79vXWy",
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                "8e03978e-40d5-43e8-bc93-6894a57f9324",
                "order-2026-03-01T10:15:30-8e03",
                "2020-03-01T10:15:30.123Z",
                "5921047736401",
                "20991231235959-5921047736401"
            })
    void aGoodKeyIsNot(String key) throws Exception {
        look(key);
        assertThat(heard).isEmpty();
    }

    @Test
    void oneKeyForManyContentsIsNoticedAtTheThird() throws Exception {
        String key = UUID.randomUUID().toString();
        look(key);
        look(key);
        hygiene.look("orders", key, content(1));
        assertThat(heard).isEmpty();
        look(key);
        assertThat(heard).containsExactly("orders reused");
    }

    @Test
    void repeatsAreWhatKeysAreFor() throws Exception {
        String key = UUID.randomUUID().toString();
        for (int i = 0; i < 100; i++) {
            hygiene.look("orders", key, content(1));
        }
        assertThat(heard).isEmpty();
    }

    @Test
    void eachSenderIsReportedOnceAndCountedEveryTime(CapturedOutput output) throws Exception {
        for (int i = 0; i < 50; i++) {
            look("secret-1");
            hygiene.look("other", "secret-1", content(i));
        }
        assertThat(heard).hasSize(100);
        assertThat(output.getOut().lines().filter(line -> line.contains("deserve no trust")))
                .hasSize(2);
        assertThat(output).doesNotContain("secret-1");
    }

    @Test
    void tenThousandKeysTakeNoMoreMemoryThanAFew() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            look(UUID.randomUUID().toString());
        }
        Object windows = ReflectionTestUtils.getField(hygiene, "windows");
        assertThat((Map<?, ?>) windows).hasSize(1);
        Object window = ((Map<?, ?>) windows).get("orders");
        assertThat((long[]) ReflectionTestUtils.getField(window, "keys")).hasSize(KeyWindow.SIZE);
        assertThat(ReflectionTestUtils.getField(window, "size")).isEqualTo(KeyWindow.SIZE);
        assertThat(heard).isEmpty();
    }

    @Test
    void aTestProfileRejectsThem() {
        KeyHygiene strict = hygiene(WeakKeys.REJECT);
        assertThatThrownBy(() -> strict.look("orders", "test", content(1)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("The idempotency key must be a key that nobody else draws, such as a random UUID.");
        assertThat(heard).hasSize(1);
    }

    @Test
    void nobodyLooksIfNobodyShall() throws Exception {
        hygiene(WeakKeys.IGNORE).look("orders", "test", content(1));
        assertThat(heard).isEmpty();
    }
}
