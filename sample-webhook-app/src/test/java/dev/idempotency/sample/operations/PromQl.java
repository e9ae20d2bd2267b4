// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.sample.operations;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What an expression of Prometheus' query language refers to. It knows selectors by metric name with matchers and ranges,
 * aggregations, functions and binary operators; neither {@code label_replace} nor names of metrics with a colon or in
 * {@code __name__}. Whether an expression is valid is promtool's to say.
 *
 * @param selectors in their order
 * @param labels that it groups or joins by
 */
record PromQl(List<Selector> selectors, Set<String> labels) {

    private static final Set<String> LABEL_LISTS =
            Set.of("by", "without", "on", "ignoring", "group_left", "group_right");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "offset", "bool", "atan2");

    /** What selects series, such as {@code requests_total{outcome="replayed"}}. */
    record Selector(String metric, List<Matcher> matchers) {}

    /** A condition of a label, as {@code outcome =~ "a|b"}. */
    record Matcher(String label, String operator, String value) {

        /** What it names: one value, or the alternatives of a regular expression; none if they are a variable. */
        List<String> values() {
            if (value.contains("$")) {
                return List.of();
            }
            return operator.contains("~") ? List.of(value.split("\\|", -1)) : List.of(value);
        }
    }

    static PromQl parse(String expression) {
        return new Parser(tokens(expression)).parse();
    }

    private record Token(Kind kind, String text) {

        boolean is(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }
    }

    private enum Kind {
        NAME,
        TEXT,
        NUMBER,
        SYMBOL
    }

    private static List<Token> tokens(String expression) {
        List<Token> tokens = new ArrayList<>();
        for (int i = 0; i < expression.length(); ) {
            char c = expression.charAt(i);
            int end = i + 1;
            if (c == '#') {
                int line = expression.indexOf('\n', i);
                end = line < 0 ? expression.length() : line;
            } else if (c == '"' || c == '\'') {
                end = expression.indexOf(c, i + 1) + 1;
                tokens.add(new Token(Kind.TEXT, expression.substring(i + 1, end - 1)));
            } else if (Character.isLetter(c) || c == '_' || c == '$') {
                end = endOfWord(expression, i);
                tokens.add(new Token(Kind.NAME, expression.substring(i, end)));
            } else if (Character.isDigit(c)) {
                end = endOfWord(expression, i);
                tokens.add(new Token(Kind.NUMBER, expression.substring(i, end)));
            } else if (!Character.isWhitespace(c)) {
                end = "=~".equals(pair(expression, i))
                                || "!~".equals(pair(expression, i))
                                || "!=".equals(pair(expression, i))
                        ? i + 2
                        : i + 1;
                tokens.add(new Token(Kind.SYMBOL, expression.substring(i, end)));
            }
            i = end;
        }
        return tokens;
    }

    private static String pair(String expression, int start) {
        return expression.substring(start, Math.min(start + 2, expression.length()));
    }

    private static int endOfWord(String expression, int start) {
        int end = start + 1;
        while (end < expression.length()
                && (Character.isLetterOrDigit(expression.charAt(end)) || "_.$".indexOf(expression.charAt(end)) >= 0)) {
            end++;
        }
        return end;
    }

    private static final class Parser {

        private static final Token END = new Token(Kind.SYMBOL, "");

        private final List<Token> tokens;
        private final List<Selector> selectors = new ArrayList<>();
        private final Set<String> labels = new LinkedHashSet<>();
        private int next;

        Parser(List<Token> tokens) {
            this.tokens = tokens;
        }

        PromQl parse() {
            while (next < tokens.size()) {
                Token token = take();
                if (token.is("[")) {
                    skipRange();
                } else if (token.kind() == Kind.NAME) {
                    name(token.text());
                }
            }
            return new PromQl(selectors, labels);
        }

        private void name(String name) {
            if (LABEL_LISTS.contains(name)) {
                labelList();
            } else if (name.startsWith("$") || OPERATORS.contains(name)) {
                return; // a variable for a duration
            } else if (!peek().is("(") && !LABEL_LISTS.contains(peek().text())) {
                selectors.add(new Selector(name, matchers()));
            }
        }

        private void labelList() {
            if (!peek().is("(")) {
                return; // group_left may stand alone
            }
            for (Token token = take(); !token.is(")"); token = take()) {
                if (token.kind() == Kind.NAME) {
                    labels.add(token.text());
                }
            }
        }

        private List<Matcher> matchers() {
            List<Matcher> matchers = new ArrayList<>();
            if (!peek().is("{")) {
                return matchers;
            }
            for (Token token = take(); !token.is("}"); token = take()) {
                if (token.kind() == Kind.NAME) {
                    matchers.add(new Matcher(token.text(), take().text(), take().text()));
                }
            }
            return matchers;
        }

        private void skipRange() {
            while (!take().is("]")) {
                // durations, or variables for them
            }
        }

        private Token peek() {
            return next < tokens.size() ? tokens.get(next) : END;
        }

        private Token take() {
            if (next == tokens.size()) {
                throw new IllegalArgumentException("ends too early");
            }
            return tokens.get(next++);
        }
    }
}
