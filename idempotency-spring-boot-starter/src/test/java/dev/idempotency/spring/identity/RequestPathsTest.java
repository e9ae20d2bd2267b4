// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.PathContainer;

class RequestPathsTest {

    private static List<String> segments(String path) {
        return RequestPaths.segments(PathContainer.parsePath(path));
    }

    private static String join(String path) {
        return RequestPaths.join(segments(path), true);
    }

    @Test
    void segmentsAreDecodedAndHaveNoParameters() {
        assertThat(segments("/orders;v=1/a%20b/%C3%A4;x")).containsExactly("orders", "a b", "\u00e4");
    }

    @Test
    void spellingsOfOnePathAreOne() {
        assertThat(join("/orders/7"))
                .isEqualTo(join("/orders/7/"))
                .isEqualTo(join("//orders//7"))
                .isEqualTo(join("/%6frders/%37"))
                .isEqualTo(join("/orders;jsessionid=1/7;a=b"));
        assertThat(join("/a%2fb")).isEqualTo(join("/a%2Fb"));
        assertThat(join("")).isEqualTo(join("/")).isEmpty();
    }

    @Test
    void differentPathsStayDifferent() {
        assertThat(join("/a/b")).isNotEqualTo(join("/a%2Fb"));
        assertThat(join("/a/1:b")).isNotEqualTo(join("/a%2F1:b")).isNotEqualTo(join("/a/b"));
        assertThat(join("/orders/7")).isNotEqualTo(join("/orders/77")).isNotEqualTo(join("/orders"));
        assertThat(join("/a+b")).isNotEqualTo(join("/a%20b"));
        assertThat(join("/Orders")).isNotEqualTo(join("/orders"));
    }

    @Test
    void caseIsFoldedWithoutRegardToTheLocaleWhereTheApplicationSaysSo() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(RequestPaths.join(segments("/ITEMS"), false))
                    .isEqualTo(RequestPaths.join(segments("/items"), false))
                    .isEqualTo(join("/items"));
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void pathParametersAreTheContentsNotTheIdentitys() {
        assertThat(RequestPaths.parameters(PathContainer.parsePath("/cars;color=red/paint")))
                .isEqualTo(RequestPaths.parameters(PathContainer.parsePath("/cars;color=%72ed/paint")))
                .isNotEqualTo(RequestPaths.parameters(PathContainer.parsePath("/cars;color=blue/paint")))
                .isNotEqualTo(RequestPaths.parameters(PathContainer.parsePath("/cars/paint;color=red")));
    }

    @Test
    void sessionIdInThePathIsNoContent() {
        assertThat(RequestPaths.parameters(PathContainer.parsePath("/cars;jsessionid=1A/paint")))
                .isEqualTo(RequestPaths.parameters(PathContainer.parsePath("/cars/paint;jsessionid=2B")))
                .isEqualTo(RequestPaths.parameters(PathContainer.parsePath("/cars/paint")))
                .isEmpty();
    }
}
