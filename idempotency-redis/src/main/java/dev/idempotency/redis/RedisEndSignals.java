// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import dev.idempotency.key.RecordKey;
import dev.idempotency.store.EndSignals;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/**
 * Signals over publish/subscribe, on a channel of the record's own name. The connection and its thread start with the
 * first waiter, so an application in which nobody waits has neither.
 */
final class RedisEndSignals implements EndSignals, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RedisEndSignals.class);

    private final RedisConnectionFactory connections;
    private final Function<RecordKey, String> channels;
    private @Nullable RedisMessageListenerContainer container;
    private boolean closed;

    RedisEndSignals(RedisConnectionFactory connections, Function<RecordKey, String> channels) {
        this.connections = connections;
        this.channels = channels;
    }

    @Override
    public Subscription subscribe(RecordKey key, Runnable onEnd) {
        ChannelTopic channel = new ChannelTopic(channels.apply(key));
        MessageListener listener = (message, pattern) -> onEnd.run();
        try {
            RedisMessageListenerContainer started = start();
            if (started == null) {
                return () -> {};
            }
            started.addMessageListener(listener, channel);
            return () -> unsubscribe(started, listener, channel);
        } catch (RuntimeException e) {
            log.debug("No signals at the moment; whoever waits goes on asking.", e);
            return () -> {};
        }
    }

    private static void unsubscribe(
            RedisMessageListenerContainer container, MessageListener listener, ChannelTopic channel) {
        try {
            container.removeMessageListener(listener, channel);
        } catch (RuntimeException e) {
            log.debug("A subscription could not be ended; it ends with its connection.", e);
        }
    }

    private synchronized @Nullable RedisMessageListenerContainer start() {
        if (container == null && !closed) {
            RedisMessageListenerContainer starting = new RedisMessageListenerContainer();
            starting.setConnectionFactory(connections);
            starting.afterPropertiesSet();
            starting.start();
            container = starting;
        }
        return container;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (container != null) {
            try {
                container.destroy();
            } catch (Exception e) {
                log.debug("The subscriptions could not be ended; they end with their connection.", e);
            }
            container = null;
        }
    }
}
