// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.identity;

import java.lang.reflect.Method;
import java.time.temporal.TemporalAccessor;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.OpPlus;
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
        } catch (ParseException e) {
            throw new IllegalArgumentException(description + " is not a SpEL expression: " + e.getMessage(), e);
        }
        Set<String> names = new LinkedHashSet<>();
        check(expression.getAST(), names);
        if (names.isEmpty()) {
            throw new IllegalArgumentException(
                    description + " must use a parameter of the method, or all requests share a key");
        }
        variables = indexes(names, method);
    }

    private void check(SpelNode node, Set<String> names) {
        if (node instanceof TypeReference
                || node instanceof BeanReference
                || node instanceof ConstructorReference
                || node instanceof Assign) {
            throw new IllegalArgumentException(
                    description + " must not refer to types, beans or constructors, nor assign anything");
        }
        if (node instanceof VariableReference variable) {
            String name = variable.toStringAST().substring(1);
            if (!name.equals("this") && !name.equals("root")) {
                names.add(name);
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            check(node.getChild(i), names);
        }
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
    Collection<Integer> parameterIndexes() {
        return variables.values();
    }

    /**
     * The business id.
     *
     * @param arguments the bound arguments by position, at least those of {@link #parameterIndexes}
     * @return the id, or {@code null} if the expression, or a part that it adds up, is null or empty
     * @throws IllegalStateException if the expression fails, or yields something whose text does not identify it
     */
    @Nullable
    String resolve(Map<Integer, ? extends @Nullable Object> arguments) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
                .withInstanceMethods()
                .build();
        variables.forEach((name, index) -> context.setVariable(name, arguments.get(index)));
        try {
            return text(value(expression.getAST(), new ExpressionState(context)));
        } catch (EvaluationException e) {
            throw new IllegalStateException(description + " failed: " + e.getMessage(), e);
        }
    }

    /** The node's value; {@code null} if an operand of an addition is null, which SpEL would spell "null". */
    private static @Nullable Object value(SpelNode node, ExpressionState state) {
        if (node instanceof OpPlus) {
            for (int i = 0; i < node.getChildCount(); i++) {
                if (value(node.getChild(i), state) == null) {
                    return null;
                }
            }
        }
        return node.getValue(state);
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
