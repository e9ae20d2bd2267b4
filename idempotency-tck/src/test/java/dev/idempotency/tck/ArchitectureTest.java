// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;

@AnalyzeClasses(packages = "dev.idempotency.tck", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    /** The kit is for every store, so it must not know one, nor the framework that an application runs on. */
    @ArchTest
    static final ArchRule kitKnowsCoreAndTestLibrariesOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "", // primitive types and arrays of them
                    "java..",
                    "javax.net.ssl..",
                    "javax.crypto..",
                    "dev.idempotency..",
                    "org.slf4j..",
                    "org.jspecify.annotations..",
                    "org.junit.jupiter.api..",
                    "org.opentest4j..",
                    "org.assertj.core..",
                    "org.awaitility..");

    /** What operators start with {@code java -jar} has nothing beside it; what is for JUnit is named so. */
    @ArchTest
    static final ArchRule whatTheCommandLineNeedsIsTheJdk = classes()
            .that()
            .resideInAnyPackage("..tck.http..", "..tck.storm..", "..tck.conformance..", "..tck.cli..")
            .and()
            .haveSimpleNameNotEndingWith("Extension")
            .and()
            .haveSimpleNameNotEndingWith("Tests")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "",
                    "java..",
                    "javax.net.ssl..",
                    "javax.crypto..",
                    "org.jspecify.annotations..",
                    "dev.idempotency.tck.http..",
                    "dev.idempotency.tck.storm..",
                    "dev.idempotency.tck.conformance..",
                    "dev.idempotency.tck.cli..");

    @ArchTest
    static final ArchRule everyPackageIsNullMarked = classes()
            .should(ArchCondition.from(describe(
                    "live in a package whose package-info has @NullMarked",
                    type -> type.getPackage().isAnnotatedWith(NullMarked.class))));
}
