// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.webhook;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;

@AnalyzeClasses(packages = "dev.idempotency.webhook", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule webhooksNeedCoreAndTheJdkOnly = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "", // primitive types and arrays of them
                    "java..",
                    "javax.crypto..",
                    "dev.idempotency.json..",
                    "dev.idempotency.webhook..",
                    "org.jspecify.annotations..");

    @ArchTest
    static final ArchRule everyPackageIsNullMarked = classes()
            .should(ArchCondition.from(describe(
                    "live in a package whose package-info has @NullMarked",
                    type -> type.getPackage().isAnnotatedWith(NullMarked.class))));
}
