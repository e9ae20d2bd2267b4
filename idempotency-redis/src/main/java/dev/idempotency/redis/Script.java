// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** One step of the store in Lua, with the digest that the server knows it by. Immutable. */
final class Script {

    private final String name;
    private final byte[] source;
    private final String sha1;

    private Script(String name, byte[] source) {
        this.name = name;
        this.source = source;
        this.sha1 = sha1(source);
    }

    /** The step on records of this name from the resources, behind the functions that all of them share. */
    static Script load(String name) {
        return load("record", name);
    }

    /** The step on dead letters of this name, likewise. */
    static Script loadForLetters(String name) {
        return load("letters", "letter-" + name);
    }

    /** The step on states of routes of this name, likewise. */
    static Script loadForRoutes(String name) {
        return load("routes", "route-" + name);
    }

    private static Script load(String shared, String name) {
        String source = resource(shared + ".lua") + "\n" + resource(name + ".lua");
        return new Script(name, source.getBytes(StandardCharsets.UTF_8));
    }

    String name() {
        return name;
    }

    /** The array itself, not a copy; read only. */
    byte[] source() {
        return source;
    }

    String sha1() {
        return sha1;
    }

    private static String resource(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar of idempotency-redis must hold " + name + ", but does not");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(byte[] source) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-1 is part of every Java platform", e);
        }
    }
}
