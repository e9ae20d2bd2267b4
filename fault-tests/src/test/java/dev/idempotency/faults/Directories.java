// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where processes of the tests keep their files: in the module's build directory. */
final class Directories {

    private static final Path ROOT =
            Path.of(System.getProperty("faults.table", "target/faults.md")).resolveSibling("faults");

    private Directories() {}

    static Path create(String name) {
        try {
            return Files.createTempDirectory(Files.createDirectories(ROOT.toAbsolutePath()), name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
