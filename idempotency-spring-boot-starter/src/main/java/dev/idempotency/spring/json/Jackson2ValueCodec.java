// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.std.ContainerDeserializerBase;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.util.StdDateFormat;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;

/** Values as JSON by Jackson 2, with the application's own settings, modules and annotations. */
public final class Jackson2ValueCodec implements ValueCodec {

    private static final Logger log = LoggerFactory.getLogger(Jackson2ValueCodec.class);

    private final ObjectMapper mapper;

    /** A codec that writes as the application does; the given mapper is copied, not changed. */
    public Jackson2ValueCodec(ObjectMapper application) {
        mapper = copy(application);
        mapper.deactivateDefaultTyping();
        // Nothing is allowed: a class name in the bytes is refused even where an annotation would have it read.
        mapper.setPolymorphicTypeValidator(
                BasicPolymorphicTypeValidator.builder().build());
        // What an application leaves out or shortens for its clients must come back whole.
        mapper.setDefaultPropertyInclusion(
                JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS));
        mapper.setDateFormat(new StdDateFormat());
        mapper.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
        mapper.disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
        mapper.disable(SerializationFeature.WRITE_DATES_WITH_CONTEXT_TIME_ZONE);
        mapper.enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID);
        mapper.disable(SerializationFeature.WRAP_ROOT_VALUE);
        mapper.disable(DeserializationFeature.UNWRAP_ROOT_VALUE);
        mapper.disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE);
        mapper.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        mapper.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    /** Whether the application has a mapper of this generation. */
    public static boolean hasMapper(ListableBeanFactory beans) {
        return beans.getBeanNamesForType(ObjectMapper.class, true, false).length > 0;
    }

    /** A codec made from the application's mapper, or from a plain one if it has none that is the one to use. */
    public static Jackson2ValueCodec from(BeanFactory beans) {
        ObjectMapper mapper = beans.getBeanProvider(ObjectMapper.class).getIfUnique();
        boolean json = mapper != null && "JSON".equals(mapper.getFactory().getFormatName());
        return new Jackson2ValueCodec(mapper != null && json ? mapper : plain());
    }

    private static ObjectMapper plain() {
        return JsonMapper.builder().findAndAddModules().build();
    }

    private static ObjectMapper copy(ObjectMapper application) {
        try {
            return application.copy();
        } catch (IllegalStateException e) { // a subclass that does not say how it is copied
            log.warn(
                    "The application's ObjectMapper cannot be copied; values of methods are kept without its settings.",
                    e);
            return plain();
        }
    }

    @Override
    public String format() {
        return "jackson-2";
    }

    @Override
    public void check(Type type) {
        DeserializationConfig config = mapper.getDeserializationConfig();
        DeserializationContext context =
                ((DefaultDeserializationContext) mapper.getDeserializationContext()).createDummyInstance(config);
        try {
            new TypeCheck(context).root(mapper.constructType(type));
        } catch (JsonMappingException e) {
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
        } catch (IOException | RuntimeException e) {
            throw unwritable(e);
        }
    }

    @Override
    public byte[] write(@Nullable Object value, Type type) throws ValueCodecException {
        try {
            return mapper.writerFor(mapper.constructType(type))
                    .without(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                    .writeValueAsBytes(value);
        } catch (IOException | RuntimeException e) {
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
        } catch (IOException | RuntimeException e) {
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

        void root(JavaType type) throws JsonMappingException {
            if (!isNamed(type, null)) {
                deserializer(type, context.findRootValueDeserializer(type));
            }
        }

        private void deserializer(JavaType type, @Nullable JsonDeserializer<?> deserializer)
                throws JsonMappingException {
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
        private boolean isNamed(JavaType type, @Nullable Object known) throws JsonMappingException {
            TypeDeserializer names = known instanceof TypeDeserializer handler
                    ? handler
                    : context.getConfig().findTypeDeserializer(type);
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
