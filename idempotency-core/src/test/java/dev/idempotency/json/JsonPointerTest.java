// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPointerTest {

    /** The examples of RFC 6901, section 5, and their edges. */
    @Test
    void segmentsAreSplitAtSlashesAndThenUnescaped() {
        assertThat(segments("")).isEmpty();
        assertThat(segments("/")).containsExactly("");
        assertThat(segments("//")).containsExactly("", "");
        assertThat(segments("/foo")).containsExactly("foo");
        assertThat(segments("/foo/0")).containsExactly("foo", "0");
        assertThat(segments("/foo/")).containsExactly("foo", "");
        assertThat(segments("/a~1b")).containsExactly("a/b");
        assertThat(segments("/m~0n")).containsExactly("m~n");
        assertThat(segments("/~01")).containsExactly("~1");
        assertThat(segments("/~10~0~1")).containsExactly("/0~/");
        assertThat(segments("/c%d/ /\"")).containsExactly("c%d", " ", "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", " /a", "#/a", "/~", "/a~", "/~2", "/a~/b", "/~~"})
    void whatIsNoPointerIsRefusedByAMessageThatShowsIt(String pointer) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonPointer.parse(pointer))
                .withMessageContaining("'" + pointer + "'");
    }

    private static List<String> segments(String pointer) {
        return JsonPointer.parse(pointer).segments();
    }
}
