// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;

@AnalyzeClasses(packages = "dev.idempotency", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    /** What is not listed is banned: above all Spring, the servlet API and Jackson. */
    @ArchTest
    static final ArchRule coreKeepsToItsFewDependencies = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "", // primitive types and arrays of them
                    "java..",
                    "javax.crypto..",
                    "dev.idempotency..",
                    "org.slf4j..",
                    "org.jspecify.annotations..",
                    "com.github.benmanes.caffeine.cache..");

    @ArchTest
    static final ArchRule everyPackageIsNullMarked = classes()
            .should(ArchCondition.from(describe(
                    "live in a package whose package-info has @NullMarked",
                    type -> type.getPackage().isAnnotatedWith(NullMarked.class))));
}
