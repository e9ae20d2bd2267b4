// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.faults.clock;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;

/**
 * Lets every class that is not the JDK's own ask {@link WrongClock} for the time. Monotonic clocks stay right, as they do on
 * a machine whose wall clock is wrong.
 */
public final class WrongClockAgent {

    private static final String CLOCK = "dev/idempotency/faults/clock/WrongClock";

    private WrongClockAgent() {}

    /**
     * Called by the JVM before the application's main class.
     *
     * @param millis how much the clock is to be ahead, may be negative
     */
    public static void premain(String millis, Instrumentation instrumentation) {
        WrongClock.putOff(Long.parseLong(millis));
        instrumentation.addTransformer(new Redirector());
    }

    private static final class Redirector implements ClassFileTransformer {

        @Override
        public byte @Nullable [] transform(
                @Nullable ClassLoader loader,
                @Nullable String name,
                @Nullable Class<?> redefined,
                @Nullable ProtectionDomain domain,
                byte[] code) {
            if (loader == null || name == null || name.startsWith("dev/idempotency/faults/clock/")) {
                return null;
            }
            ClassWriter changed = new ClassWriter(0);
            new ClassReader(code)
                    .accept(
                            new ClassVisitor(SpringAsmInfo.ASM_VERSION, changed) {
                                @Override
                                public MethodVisitor visitMethod(
                                        int access,
                                        String method,
                                        String descriptor,
                                        @Nullable String signature,
                                        String @Nullable [] exceptions) {
                                    return redirect(
                                            super.visitMethod(access, method, descriptor, signature, exceptions));
                                }
                            },
                            0);
            return changed.toByteArray();
        }

        private static MethodVisitor redirect(MethodVisitor to) {
            return new MethodVisitor(SpringAsmInfo.ASM_VERSION, to) {
                @Override
                public void visitMethodInsn(
                        int opcode, String owner, String method, String descriptor, boolean isInterface) {
                    boolean asksForTime = opcode == Opcodes.INVOKESTATIC
                            && ((owner.equals("java/lang/System") && method.equals("currentTimeMillis"))
                                    || (owner.equals("java/time/Instant")
                                            && descriptor.startsWith("()")
                                            && method.equals("now")));
                    super.visitMethodInsn(opcode, asksForTime ? CLOCK : owner, method, descriptor, isInterface);
                }
            };
        }
    }
}
