// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.jdbc;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;

@AnalyzeClasses(packages = "dev.idempotency.jdbc", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule jdbcKeepsToItsFewDependencies = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "", // primitive types and arrays of them
                    "java..",
                    "dev.idempotency..",
                    "org.slf4j..",
                    "org.jspecify.annotations..",
                    "org.springframework.jdbc..",
                    "org.springframework.transaction..",
                    "javax.sql..");

    @ArchTest
    static final ArchRule storesDoNotKnowEachOtherNorTheStarter = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.idempotency.redis..", "dev.idempotency.webhook..", "dev.idempotency.spring..");

    @ArchTest
    static final ArchRule everyPackageIsNullMarked = classes()
            .should(ArchCondition.from(describe(
                    "live in a package whose package-info has @NullMarked",
                    type -> type.getPackage().isAnnotatedWith(NullMarked.class))));
}
