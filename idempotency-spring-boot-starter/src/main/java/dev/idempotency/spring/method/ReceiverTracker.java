// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.method;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ConstantDynamic;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Follows an instance method's operand stack just as far as to know where {@code this} is on it, and tells name and descriptor
 * of every method that is called on it (Java Virtual Machine Specification, section 6.5). Where branches meet, the stack
 * of the first one counts, as compilers keep {@code this} in the same place on all of them.
 */
final class ReceiverTracker extends MethodVisitor {

    private final BiConsumer<String, String> called;
    private final Map<Label, List<Boolean>> atLabels = new HashMap<>();

    /** By slots from the bottom: whether it is {@code this}. */
    private List<Boolean> stack = new ArrayList<>();

    private boolean reachable = true;

    ReceiverTracker(BiConsumer<String, String> called) {
        super(SpringAsmInfo.ASM_VERSION);
        this.called = called;
    }

    /** Whether the slot that many below the top is {@code this}. */
    private boolean isThis(int below) {
        int index = stack.size() - 1 - below;
        return index >= 0 && stack.get(index);
    }

    private void pop(int slots) {
        for (int i = 0; i < slots && !stack.isEmpty(); i++) {
            stack.remove(stack.size() - 1);
        }
    }

    private void push(int slots) {
        for (int i = 0; i < slots; i++) {
            stack.add(false);
        }
    }

    private void branch(Label target) {
        atLabels.putIfAbsent(target, new ArrayList<>(stack));
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
        atLabels.put(handler, new ArrayList<>(List.of(false)));
    }

    @Override
    public void visitLabel(Label label) {
        if (!reachable) {
            stack = new ArrayList<>(atLabels.getOrDefault(label, List.of()));
            reachable = true;
        }
    }

    @Override
    public void visitInsn(int opcode) {
        switch (opcode) {
            case Opcodes.DUP -> stack.add(isThis(0));
            case Opcodes.DUP_X1 -> stack.add(Math.max(0, stack.size() - 2), isThis(0));
            case Opcodes.DUP_X2 -> stack.add(Math.max(0, stack.size() - 3), isThis(0));
            case Opcodes.LCONST_0, Opcodes.LCONST_1, Opcodes.DCONST_0, Opcodes.DCONST_1 -> push(2);
            case Opcodes.DUP2, Opcodes.DUP2_X1, Opcodes.DUP2_X2 -> push(2);
            case Opcodes.I2L, Opcodes.I2D, Opcodes.F2L, Opcodes.F2D -> push(1);
            case Opcodes.NOP, Opcodes.SWAP, Opcodes.LALOAD, Opcodes.DALOAD, Opcodes.ARRAYLENGTH -> {}
            case Opcodes.INEG, Opcodes.LNEG, Opcodes.FNEG, Opcodes.DNEG -> {}
            case Opcodes.I2F, Opcodes.F2I, Opcodes.L2D, Opcodes.D2L, Opcodes.I2B, Opcodes.I2C, Opcodes.I2S -> {}
            case Opcodes.POP2,
                    Opcodes.LADD,
                    Opcodes.LSUB,
                    Opcodes.LMUL,
                    Opcodes.LDIV,
                    Opcodes.LREM,
                    Opcodes.LAND,
                    Opcodes.LOR,
                    Opcodes.LXOR,
                    Opcodes.DADD,
                    Opcodes.DSUB,
                    Opcodes.DMUL,
                    Opcodes.DDIV,
                    Opcodes.DREM -> pop(2);
            case Opcodes.LCMP, Opcodes.DCMPL, Opcodes.DCMPG -> pop(3);
            case Opcodes.LASTORE, Opcodes.DASTORE -> pop(4);
            case Opcodes.IRETURN,
                    Opcodes.LRETURN,
                    Opcodes.FRETURN,
                    Opcodes.DRETURN,
                    Opcodes.ARETURN,
                    Opcodes.RETURN,
                    Opcodes.ATHROW -> reachable = false;
            default -> {
                if (opcode < Opcodes.BIPUSH) { // the other constants
                    push(1);
                } else if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
                    pop(3);
                } else { // loads from arrays, arithmetic on ints and floats, shifts, POP, monitors
                    pop(1);
                }
            }
        }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        push(opcode == Opcodes.NEWARRAY ? 0 : 1);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
        switch (opcode) {
            case Opcodes.ALOAD -> stack.add(variable == 0);
            case Opcodes.ILOAD, Opcodes.FLOAD -> push(1);
            case Opcodes.LLOAD, Opcodes.DLOAD -> push(2);
            case Opcodes.LSTORE, Opcodes.DSTORE -> pop(2);
            default -> pop(1);
        }
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode == Opcodes.NEW) {
            push(1);
        } else if (opcode == Opcodes.INSTANCEOF) {
            pop(1);
            push(1);
        }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        int size = Type.getType(descriptor).getSize();
        switch (opcode) {
            case Opcodes.GETSTATIC -> push(size);
            case Opcodes.PUTSTATIC -> pop(size);
            case Opcodes.GETFIELD -> {
                pop(1);
                push(size);
            }
            default -> pop(size + 1);
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        int argumentSlots = argumentSlots(descriptor);
        if ((opcode == Opcodes.INVOKEVIRTUAL || opcode == Opcodes.INVOKEINTERFACE) && isThis(argumentSlots)) {
            called.accept(name, descriptor);
        }
        pop(argumentSlots + (opcode == Opcodes.INVOKESTATIC ? 0 : 1));
        push(Type.getReturnType(descriptor).getSize());
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        int argumentSlots = argumentSlots(descriptor);
        for (Object argument : arguments) {
            boolean reference = argument instanceof Handle handle
                    && (handle.getTag() == Opcodes.H_INVOKEVIRTUAL || handle.getTag() == Opcodes.H_INVOKEINTERFACE);
            if (reference && argumentSlots > 0 && isThis(argumentSlots - 1)) {
                called.accept(((Handle) argument).getName(), ((Handle) argument).getDesc());
            }
        }
        pop(argumentSlots);
        push(1);
    }

    private static int argumentSlots(String descriptor) {
        int slots = 0;
        for (Type type : Type.getArgumentTypes(descriptor)) {
            slots += type.getSize();
        }
        return slots;
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        boolean comparesTwo = opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ACMPNE;
        pop(opcode == Opcodes.GOTO ? 0 : comparesTwo ? 2 : 1);
        branch(label);
        reachable = opcode != Opcodes.GOTO;
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
        visitLookupSwitchInsn(otherwise, new int[0], labels);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
        pop(1);
        branch(otherwise);
        for (Label label : labels) {
            branch(label);
        }
        reachable = false;
    }

    @Override
    public void visitLdcInsn(Object value) {
        boolean wide = value instanceof Long
                || value instanceof Double
                || (value instanceof ConstantDynamic constant && constant.getSize() == 2);
        push(wide ? 2 : 1);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        pop(dimensions);
        push(1);
    }
}
