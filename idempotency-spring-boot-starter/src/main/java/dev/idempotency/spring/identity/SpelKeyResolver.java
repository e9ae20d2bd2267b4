// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import java.lang.reflect.Method;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * A {@code keyResolver} expression, parsed and checked once. Its variables are the method's parameters, by name or as
 * {@code #p0}; what a client sends is only ever data to it. May be used from any thread.
 */
public final class SpelKeyResolver {

    private static final String PREFIX = "SpEL:";

    private static final Set<Class<? extends SpelNode>> FORBIDDEN = Set.of(
            TypeReference.class,
            BeanReference.class,
            ConstructorReference.class,
            FunctionReference.class,
            Assign.class,
            OpInc.class,
            OpDec.class);

    /** The data ends before the place that the expression asks for. */
    private static final Set<SpelMessage> NOTHING_THERE = Set.of(
            SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE_ON_NULL,
            SpelMessage.METHOD_CALL_ON_NULL_OBJECT_NOT_ALLOWED,
            SpelMessage.CANNOT_INDEX_INTO_NULL_VALUE,
            SpelMessage.ARRAY_INDEX_OUT_OF_BOUNDS,
            SpelMessage.COLLECTION_INDEX_OUT_OF_BOUNDS);

    /** Not null, so that a name without # is told from a value that is not there. */
    private static final Object ROOT = new Object();

    private final String description;
    private final SpelExpression expression;
    private final Map<String, Integer> variables;

    /**
     * Parses an expression for a method.
     *
     * @throws IllegalArgumentException if it cannot be parsed, names something that is no parameter of the method, or
     *     reaches for types, beans or constructors; the message is one sentence
     */
    public SpelKeyResolver(String keyResolver, Method method) {
        String text = keyResolver.startsWith(PREFIX) ? keyResolver.substring(PREFIX.length()) : keyResolver;
        description = "keyResolver '" + keyResolver + "' of "
                + method.getDeclaringClass().getSimpleName() + "." + method.getName();
        try {
            expression = new SpelExpressionParser().parseRaw(text.strip());
        } catch (ParseException | IllegalArgumentException e) {
            throw new IllegalArgumentException(description + " is not a SpEL expression: " + e.getMessage(), e);
        }
        Set<String> names = new LinkedHashSet<>();
        check(expression.getAST(), true, names);
        if (names.isEmpty()) {
            throw new IllegalArgumentException(
                    description + " must use a parameter of the method, or all requests share a key");
        }
        variables = indexes(names, method);
    }

    private void check(SpelNode node, boolean mayAdd, Set<String> names) {
        if (FORBIDDEN.contains(node.getClass())) {
            throw new IllegalArgumentException(
                    description + " must not refer to types, beans, constructors or functions, nor assign anything");
        }
        if (isAddition(node) && !mayAdd) {
            throw new IllegalArgumentException(description
                    + " must not use + inside anything but another + or a list, where a null would become a text");
        }
        if (node instanceof VariableReference variable) {
            String name = variable.toStringAST().substring(1);
            if (!name.equals("this") && !name.equals("root")) {
                names.add(name);
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            check(node.getChild(i), mayAdd && (isAddition(node) || node instanceof InlineList), names);
        }
    }

    private static boolean isAddition(SpelNode node) {
        return node instanceof OpPlus && node.getChildCount() == 2;
    }

    private Map<String, Integer> indexes(Set<String> variableNames, Method method) {
        String[] parameterNames = new DefaultParameterNameDiscoverer().getParameterNames(method);
        Map<String, Integer> indexes = new LinkedHashMap<>();
        for (String variable : variableNames) {
            int index = index(variable, parameterNames, method.getParameterCount());
            if (index < 0) {
                throw new IllegalArgumentException(
                        parameterNames == null
                                ? description + " uses #" + variable
                                        + ", but the class was compiled without -parameters; use #p0 or compile with it"
                                : description + " uses #" + variable + ", which is no parameter of the method");
            }
            indexes.put(variable, index);
        }
        return indexes;
    }

    private static int index(String variable, String @Nullable [] parameterNames, int count) {
        for (int i = 0; i < count; i++) {
            boolean named = parameterNames != null && variable.equals(parameterNames[i]);
            if (named || variable.equals("p" + i) || variable.equals("a" + i)) {
                return i;
            }
        }
        return -1;
    }

    /** Positions of the parameters that the expression needs. */
    public Collection<Integer> parameterIndexes() {
        return variables.values();
    }

    /**
     * The business id.
     *
     * @param arguments the bound arguments by position, at least those of {@link #parameterIndexes}
     * @return the id, or {@code null} if the expression, or a part that it adds up or lists, is null, blank or not there
     * @throws IllegalStateException if the expression fails, or yields something whose text does not identify it
     */
    public @Nullable String resolve(Map<Integer, ? extends @Nullable Object> arguments) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
                .withInstanceMethods()
                .withRootObject(ROOT)
                .build();
        variables.forEach((name, index) -> context.setVariable(name, arguments.get(index)));
        try {
            return text(value(expression.getAST(), new ExpressionState(context)));
        } catch (EvaluationException e) {
            if (e instanceof SpelEvaluationException spel && NOTHING_THERE.contains(spel.getMessageCode())) {
                return null;
            }
            throw new IllegalStateException(description + " failed: " + e.getMessage(), e);
        }
    }

    /** The node's value; a sum is made here of its parts' texts, as SpEL would spell a null and any object's identity. */
    private @Nullable Object value(SpelNode node, ExpressionState state) {
        if (node instanceof InlineList) {
            List<@Nullable Object> elements = new ArrayList<>();
            for (int i = 0; i < node.getChildCount(); i++) {
                elements.add(value(node.getChild(i), state));
            }
            return elements;
        }
        if (!isAddition(node)) {
            return node.getValue(state);
        }
        Object left = value(node.getChild(0), state);
        Object right = value(node.getChild(1), state);
        if (left instanceof Number && right instanceof Number) {
            return node.getValue(state);
        }
        String first = part(node.getChild(0), left);
        String second = part(node.getChild(1), right);
        return first == null || second == null ? null : first + second;
    }

    /** A part's text; only one that is written in the expression may be blank. */
    private @Nullable String part(SpelNode node, @Nullable Object value) {
        return node instanceof StringLiteral && value != null ? value.toString() : text(value);
    }

    private @Nullable String text(@Nullable Object value) {
        Object plain = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (plain == null) {
            return null;
        }
        if (plain instanceof Collection<?> elements) {
            return elements.isEmpty() ? null : text(elements);
        }
        if (plain instanceof CharSequence || plain instanceof Character) {
            String text = plain.toString();
            return text.isBlank() ? null : text;
        }
        if (plain instanceof Number
                || plain instanceof Boolean
                || plain instanceof Enum<?>
                || plain instanceof UUID
                || plain instanceof TemporalAccessor) {
            return plain.toString();
        }
        throw new IllegalStateException(
                description + " must yield text, a number, a boolean, an enum constant, a UUID, a"
                        + " date or time, or a list of these, but yields a "
                        + plain.getClass().getName());
    }

    /** The elements with their lengths, so that no two lists have one text. */
    private @Nullable String text(Collection<?> elements) {
        StringBuilder joined = new StringBuilder();
        for (Object element : elements) {
            String text = text(element);
            if (text == null) {
                return null;
            }
            joined.append(text.length()).append(':').append(text);
        }
        return joined.toString();
    }
}
