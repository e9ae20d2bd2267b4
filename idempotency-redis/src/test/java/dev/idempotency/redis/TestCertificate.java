// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A self-signed certificate for this machine, made anew by the JDK's keytool, as PEM files.
 *
 * @param certificate the certificate's file
 * @param key the private key's file
 */
record TestCertificate(Path certificate, Path key) {

    private static final String PASSWORD = "changeit";

    static TestCertificate in(Path directory) throws IOException, GeneralSecurityException, InterruptedException {
        Path store = directory.resolve("store.p12");
        int exit = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-alias",
                        "redis",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=ip:127.0.0.1,dns:localhost",
                        "-validity",
                        "2")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("keytool gave " + exit);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new TestCertificate(
                write(
                        directory.resolve("cert.pem"),
                        "CERTIFICATE",
                        keys.getCertificate("redis").getEncoded()),
                write(
                        directory.resolve("key.pem"),
                        "PRIVATE KEY",
                        keys.getKey("redis", PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path write(Path file, String type, byte[] content) throws IOException {
        String base64 = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
    }
}
