// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.json;

import dev.idempotency.json.JsonToken;
import dev.idempotency.json.JsonTokenizer;
import dev.idempotency.json.JsonTokens;
import dev.idempotency.json.MalformedJsonException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Reads JSON with Jackson 3, under the limits of {@link Jackson2Tokenizer}, so that both read the same. */
public final class Jackson3Tokenizer implements JsonTokenizer {

    /** Jackson 3 would stop at 500 by itself. */
    private static final int MAX_DEPTH = 1000;

    private final JsonFactory factory = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();

    @Override
    public JsonTokens tokens(byte[] json) throws MalformedJsonException {
        try {
            return new Tokens(factory.createParser(ObjectReadContext.empty(), json));
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    private static MalformedJsonException malformed(JacksonException e) {
        return new MalformedJsonException("not JSON: " + e.getClass().getSimpleName(), null);
    }

    private record Tokens(JsonParser parser) implements JsonTokens {

        @Override
        public JsonToken next() throws MalformedJsonException {
            try {
                return token(parser.nextToken());
            } catch (JacksonException e) {
                throw malformed(e);
            }
        }

        private static JsonToken token(tools.jackson.core.@Nullable JsonToken token) throws MalformedJsonException {
            if (token == null) {
                return JsonToken.END;
            }
            return switch (token) {
                case START_OBJECT -> JsonToken.START_OBJECT;
                case END_OBJECT -> JsonToken.END_OBJECT;
                case START_ARRAY -> JsonToken.START_ARRAY;
                case END_ARRAY -> JsonToken.END_ARRAY;
                case PROPERTY_NAME -> JsonToken.NAME;
                case VALUE_STRING -> JsonToken.STRING;
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> JsonToken.NUMBER;
                case VALUE_TRUE -> JsonToken.TRUE;
                case VALUE_FALSE -> JsonToken.FALSE;
                case VALUE_NULL -> JsonToken.NULL;
                default -> throw new MalformedJsonException("not JSON: unexpected token", null);
            };
        }

        @Override
        public String text() throws MalformedJsonException {
            try {
                return parser.getString();
            } catch (JacksonException e) {
                throw malformed(e);
            }
        }

        @Override
        public void close() {
            parser.close();
        }
    }
}
