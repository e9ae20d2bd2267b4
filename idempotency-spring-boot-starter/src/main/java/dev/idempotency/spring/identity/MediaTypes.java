// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a Content-Type header says of the body's kind. */
final class MediaTypes {

    private MediaTypes() {}

    /** Type and subtype in lower case, without parameters; empty if there is no header. */
    static String essence(@Nullable String contentType) {
        if (contentType == null) {
            return "";
        }
        int end = contentType.indexOf(';');
        return (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    static boolean isJson(String essence) {
        return essence.equals("application/json") || essence.endsWith("+json");
    }

    static boolean isForm(String essence) {
        return essence.equals("application/x-www-form-urlencoded");
    }

    /** Other kinds of multipart have parts without names, which containers drop: they count by their bytes. */
    static boolean isMultipart(String essence) {
        return essence.equals("multipart/form-data");
    }
}
