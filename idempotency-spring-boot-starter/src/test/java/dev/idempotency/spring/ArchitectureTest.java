// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.NullMarked;

@AnalyzeClasses(packages = "dev.idempotency.spring", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    /** A class of one generation only would fail to load on the other; name such a class in a string instead. */
    @ArchTest
    static final ArchRule noTypeThatMovedBetweenBoot3AndBoot4 = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("dev.idempotency.spring.health.Boot4HealthIndicator")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    // Boot 3
                    "org.springframework.boot.autoconfigure.jdbc..",
                    "org.springframework.boot.autoconfigure.data..",
                    "org.springframework.boot.autoconfigure.web..",
                    "org.springframework.boot.autoconfigure.jackson..",
                    "org.springframework.boot.autoconfigure.security..",
                    "org.springframework.boot.autoconfigure.transaction..",
                    "org.springframework.boot.actuate.health..",
                    "org.springframework.boot.actuate.autoconfigure.health..",
                    "org.springframework.boot.actuate.autoconfigure.metrics..",
                    "org.springframework.boot.actuate.autoconfigure.observation..",
                    // Boot 4
                    "org.springframework.boot.jdbc.autoconfigure..",
                    "org.springframework.boot.data..",
                    "org.springframework.boot.webmvc..",
                    "org.springframework.boot.jackson..",
                    "org.springframework.boot.security..",
                    "org.springframework.boot.servlet..",
                    "org.springframework.boot.transaction..",
                    "org.springframework.boot.health..",
                    "org.springframework.boot.micrometer..");

    /**
     * Jackson is 2 in Boot 3 and 3 in Boot 4; its token streams are read behind core's seam, its data binding is that of the two
     * classes that keep the values of methods.
     */
    @ArchTest
    static final ArchRule jacksonDataBindingInTheValueCodecsOnly = noClasses()
            .that()
            .haveNameNotMatching(".*\\.spring\\.json\\.Jackson[23]ValueCodec(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.fasterxml.jackson.databind..", "tools.jackson.databind..");

    /** These overloads came with Micrometer 1.16; Boot 3.5 has an older one. */
    @ArchTest
    static final ArchRule metersAreAskedForAsOldMicrometersKnow = noClasses()
            .should()
            .callMethod(MeterRegistry.class, "timer", String.class, Tags.class)
            .orShould()
            .callMethod(MeterRegistry.class, "counter", String.class, Tags.class)
            .orShould()
            .callMethod(MeterRegistry.class, "summary", String.class, Tags.class);

    @ArchTest
    static final ArchRule storesAreReachedThroughTheirOwnModules =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("io.lettuce..", "redis.clients..");

    @ArchTest
    static final ArchRule everyPackageIsNullMarked = classes()
            .should(ArchCondition.from(describe(
                    "live in a package whose package-info has @NullMarked",
                    type -> type.getPackage().isAnnotatedWith(NullMarked.class))));
}
