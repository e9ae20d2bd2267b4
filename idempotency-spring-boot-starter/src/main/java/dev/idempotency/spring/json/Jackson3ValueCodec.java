// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.util.StdDateFormat;

/** Values as JSON by Jackson 3, with the application's own settings, modules and annotations. */
public final class Jackson3ValueCodec implements ValueCodec {

    private final JsonMapper mapper;

    /** A codec that writes as the application does; the given mapper is copied, not changed. */
    public Jackson3ValueCodec(JsonMapper application) {
        mapper = application
                .rebuild()
                .deactivateDefaultTyping()
                // Nothing is allowed: a class name in the bytes is refused even where an annotation would have it read.
                .polymorphicTypeValidator(
                        BasicPolymorphicTypeValidator.builder().build())
                // What an application leaves out or shortens for its clients must come back whole.
                .changeDefaultPropertyInclusion(inclusion ->
                        JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS))
                .defaultDateFormat(new StdDateFormat())
                .disable(
                        DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS,
                        DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS,
                        DateTimeFeature.WRITE_DATES_WITH_CONTEXT_TIME_ZONE,
                        DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .disable(SerializationFeature.WRAP_ROOT_VALUE)
                .disable(DeserializationFeature.UNWRAP_ROOT_VALUE, DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    /** Whether the application has a mapper of this generation. */
    public static boolean hasMapper(ListableBeanFactory beans) {
        return beans.getBeanNamesForType(JsonMapper.class, true, false).length > 0;
    }

    /** A codec made from the application's mapper, or from a plain one if it has none that is the one to use. */
    public static Jackson3ValueCodec from(BeanFactory beans) {
        JsonMapper mapper = beans.getBeanProvider(JsonMapper.class).getIfUnique();
        return new Jackson3ValueCodec(
                mapper != null
                        ? mapper
                        : JsonMapper.builder().findAndAddModules().build());
    }

    @Override
    public String format() {
        return "jackson-3";
    }

    @Override
    public void check(Type type) {
        try {
            new TypeCheck(mapper._deserializationContext()).root(mapper.constructType(type));
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "must be a type that Jackson can read back (" + e.getOriginalMessage() + ")", e);
        }
    }

    @Override
    public byte[] write(@Nullable Object value) throws ValueCodecException {
        try {
            return mapper.writer()
                    .with(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                    .writeValueAsBytes(value);
        } catch (RuntimeException e) {
            throw unwritable(e);
        }
    }

    @Override
    public byte[] write(@Nullable Object value, Type type) throws ValueCodecException {
        try {
            return mapper.writerFor(mapper.constructType(type))
                    .without(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                    .writeValueAsBytes(value);
        } catch (RuntimeException e) {
            throw unwritable(e);
        }
    }

    private static ValueCodecException unwritable(Exception e) {
        return new ValueCodecException("cannot be written as JSON", e);
    }

    @Override
    public @Nullable Object read(byte[] json, Type type) throws ValueCodecException {
        try {
            return mapper.readerFor(mapper.constructType(type)).readValue(json);
        } catch (RuntimeException e) {
            throw new ValueCodecException("the JSON is no " + type.getTypeName(), e);
        }
    }

    /** Looks at everything that reading a type would use. */
    private static final class TypeCheck {

        private final DeserializationContext context;
        private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

        TypeCheck(DeserializationContext context) {
            this.context = context;
        }

        void root(JavaType type) {
            if (!isNamed(type, null)) {
                deserializer(type, context.findRootValueDeserializer(type));
            }
        }

        private void deserializer(JavaType type, @Nullable ValueDeserializer<?> deserializer) {
            if (deserializer == null || !seen.add(deserializer)) {
                return;
            }
            if (deserializer instanceof AbstractDeserializer) {
                throw new IllegalArgumentException("must say how to tell the classes of "
                        + type.getRawClass().getName() + " apart, such as by @JsonTypeInfo(use = NAME)");
            }
            if (deserializer instanceof ContainerDeserializerBase<?> container) {
                JavaType content = container.getContentType();
                if (content != null && !isNamed(content, content.getTypeHandler())) {
                    deserializer(content, container.getContentDeserializer());
                }
            } else if (deserializer instanceof BeanDeserializerBase bean) {
                for (Iterator<SettableBeanProperty> it = bean.properties(); it.hasNext(); ) {
                    SettableBeanProperty property = it.next();
                    if (!isNamed(property.getType(), property.getValueTypeDeserializer())) {
                        deserializer(property.getType(), property.getValueDeserializer());
                    }
                }
            }
        }

        /** Whether the JSON says, by a name that an annotation gives, which subtype a value is of. */
        private boolean isNamed(JavaType type, @Nullable Object known) {
            TypeDeserializer names =
                    known instanceof TypeDeserializer handler ? handler : context.findTypeDeserializer(type);
            if (names == null) {
                return false;
            }
            JsonTypeInfo.Id mechanism = names.getTypeIdResolver().getMechanism();
            if (mechanism == JsonTypeInfo.Id.CLASS || mechanism == JsonTypeInfo.Id.MINIMAL_CLASS) {
                throw new IllegalArgumentException("must not have class names in its JSON, as "
                        + type.getRawClass().getName() + " has; use @JsonTypeInfo(use = NAME)");
            }
            return true;
        }
    }
}
