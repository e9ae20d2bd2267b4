// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static dev.idempotency.redis.TestClaims.SUCCESS;
import static dev.idempotency.redis.TestClaims.claim;
import static dev.idempotency.redis.TestClaims.newKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.OwnerToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** An application that took Lettuce off its class path for Jedis. */
class WithoutLettuceIT {

    @Test
    void storeRunsOnJedisAlone() throws Exception {
        ClassLoader withoutLettuce = new WithoutLettuce();
        assertThatThrownBy(() -> withoutLettuce.loadClass("io.lettuce.core.RedisFuture"))
                .isInstanceOf(ClassNotFoundException.class);
        Class<?> application = withoutLettuce.loadClass(Application.class.getName());
        assertThat(application).isNotEqualTo(Application.class);

        @SuppressWarnings("unchecked")
        BiFunction<String, Integer, String> run = (BiFunction<String, Integer, String>)
                application.getDeclaredConstructor().newInstance();
        String outcome = run.apply(TestRedis.shared().host(), TestRedis.shared().port());

        assertThat(outcome).startsWith("Claimed[").contains("Applied[");
    }

    /** Runs inside the other class loader, so only types of the JDK go in and out. */
    public static final class Application implements BiFunction<String, Integer, String> {

        @Override
        public String apply(String host, Integer port) {
            JedisConnectionFactory connections = TestConnections.jedis(host, port);
            RedisIdempotencyStore store = new RedisIdempotencyStore(connections, "shop");
            OwnerToken owner = OwnerToken.random();
            RecordKey key = newKey();
            String outcome = store.claim(claim(key, owner)) + " " + store.complete(key, owner, SUCCESS);
            connections.destroy();
            return outcome;
        }
    }

    /** Defines what may refer to Lettuce anew, so that the reference finds nothing. */
    private static final class WithoutLettuce extends ClassLoader {

        WithoutLettuce() {
            super(WithoutLettuceIT.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.lettuce.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("dev.idempotency.") && !name.startsWith("org.springframework.data.redis.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] code = in.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
