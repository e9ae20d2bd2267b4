// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds the calls by which a class reaches its own protected methods without passing its proxy: those on {@code this}, also
 * from a lambda or by a method reference, in the class itself and its superclasses. A call through an injected proxy of the
 * same class is none of them. What is called by reflection, or by another object that was given {@code this}, is not found.
 */
final class SelfInvocations {

    private static final Logger log = LoggerFactory.getLogger(SelfInvocations.class);

    private final Set<String> wanted = new TreeSet<>();
    private final Map<String, Set<String>> callers = new TreeMap<>();

    private SelfInvocations(Iterable<Method> methods) {
        methods.forEach(method -> wanted.add(method.getName() + Type.getMethodDescriptor(method)));
    }

    /** The names of the protected methods that a class calls on itself, each with the names of the methods that do so. */
    static Map<String, Set<String>> of(Class<?> type, Iterable<Method> methods) {
        SelfInvocations found = new SelfInvocations(methods);
        for (Class<?> level = type; level != null && level != Object.class; level = level.getSuperclass()) {
            found.read(level);
        }
        return found.callers;
    }

    private void read(Class<?> type) {
        try (InputStream in = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
            if (in != null) {
                new ClassReader(in).accept(new Calls(), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | RuntimeException e) { // such as a class file of a newer Java
            log.debug("{} cannot be searched for calls of its own methods.", type, e);
        }
    }

    private void call(String caller, String name, String descriptor) {
        if (wanted.contains(name + descriptor) && !caller.equals(name)) {
            callers.computeIfAbsent(name, key -> new TreeSet<>()).add(caller);
        }
    }

    /** A lambda is named after the method that it is written in. */
    private static String written(String name) {
        return name.startsWith("lambda$") ? name.substring(7, Math.max(7, name.lastIndexOf('$'))) : name;
    }

    private final class Calls extends ClassVisitor {

        Calls() {
            super(SpringAsmInfo.ASM_VERSION);
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            boolean hasThis = (access & (Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
            boolean bridge = (access & Opcodes.ACC_BRIDGE) != 0;
            return hasThis && !bridge
                    ? new ReceiverTracker((callee, calleeDescriptor) -> call(written(name), callee, calleeDescriptor))
                    : null;
        }
    }
}
