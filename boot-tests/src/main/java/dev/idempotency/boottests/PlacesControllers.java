// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.boottests;

import dev.idempotency.Idempotent;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.UUID;
import org.springframework.core.annotation.AliasFor;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Every place where the annotation may stand, and neighbours that do not have it. */
final class PlacesControllers {

    private PlacesControllers() {}

    private static String happen(String note) {
        Effects.happen(note);
        return UUID.randomUUID().toString();
    }

    interface Api {

        @Idempotent(bizType = "placed")
        @PostMapping("/places/interface")
        String onInterface(@RequestParam("note") String note);
    }

    @Idempotent(bizType = "placed")
    abstract static class Base {

        @PostMapping("/places/inherited")
        String inherited(@RequestParam("note") String note) {
            return happen(note);
        }
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Idempotent
    @RequestMapping(method = RequestMethod.POST)
    @interface Payment {

        @AliasFor(annotation = RequestMapping.class, attribute = "path")
        String path();

        @AliasFor(annotation = Idempotent.class, attribute = "bizType")
        String kind();
    }

    @RestController
    static class OnInterface implements Api {

        @Override
        public String onInterface(String note) {
            return happen(note);
        }
    }

    @RestController
    static class Inherits extends Base {

        @Payment(path = "/places/composed", kind = "placed")
        String composed(@RequestParam("note") String note) {
            return happen(note);
        }

        @PreAuthorize("permitAll")
        @PostMapping("/places/class-proxy")
        public String classProxy(@RequestParam("note") String note) {
            return happen(note);
        }
    }

    /** All that a JDK proxy shows of its controller. */
    @RestController
    interface Proxied {

        @PostMapping("/places/interface-proxy")
        String interfaceProxy(@RequestParam("note") String note);
    }

    static class ProxiedController implements Proxied {

        @Override
        @PreAuthorize("permitAll")
        @Idempotent(bizType = "placed")
        public String interfaceProxy(String note) {
            return happen(note);
        }
    }

    @RestController
    static class Neighbours {

        @Idempotent(bizType = "placed")
        @PostMapping("/overlap/{id}")
        String overlap(@RequestParam("note") String note) {
            return happen(note);
        }

        @PostMapping("/overlap/special")
        String special(@RequestParam("note") String note) {
            return happen(note);
        }

        @Idempotent(bizType = "placed")
        @PostMapping(path = "/typed", consumes = "application/json")
        String json(@RequestParam("note") String note) {
            return happen(note);
        }

        @PostMapping(path = "/typed", consumes = "text/plain")
        String text(@RequestParam("note") String note) {
            return happen(note);
        }

        @Idempotent(bizType = "placed")
        @RequestMapping("/any-method")
        String anyMethod(@RequestParam("note") String note) {
            return happen(note);
        }
    }
}
