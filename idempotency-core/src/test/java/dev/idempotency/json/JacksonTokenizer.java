// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.json;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Jackson's streaming parser as the tokenizer of these tests. */
final class JacksonTokenizer implements JsonTokenizer {

    private final JsonFactory factory = new JsonFactory();

    @Override
    public JsonTokens tokens(byte[] json) throws MalformedJsonException {
        try {
            return new Tokens(factory.createParser(ObjectReadContext.empty(), json));
        } catch (JacksonException e) {
            throw new MalformedJsonException("not JSON", e);
        }
    }

    private record Tokens(JsonParser parser) implements JsonTokens {

        @Override
        public JsonToken next() throws MalformedJsonException {
            try {
                tools.jackson.core.JsonToken token = parser.nextToken();
                return token == null ? JsonToken.END : translated(token);
            } catch (JacksonException e) {
                throw new MalformedJsonException("not JSON", e);
            }
        }

        private static JsonToken translated(tools.jackson.core.JsonToken token) {
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
                case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT -> throw new IllegalStateException("unexpected " + token);
            };
        }

        @Override
        public String text() throws MalformedJsonException {
            try {
                return parser.getString();
            } catch (JacksonException e) {
                throw new MalformedJsonException("not JSON", e);
            }
        }

        @Override
        public void close() {
            parser.close();
        }
    }
}
