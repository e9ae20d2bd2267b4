// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of servers that no test can start. */
class ServerInfoTest {

    private final Properties info = new Properties();

    @ParameterizedTest
    @ValueSource(strings = {"2.8.24", "5.0.14", "6.0.20", "6.1.0"})
    void anOldServerIsRefused(String version) {
        info.setProperty("redis_version", version);
        assertThat(new ServerInfo(info).refusals())
                .containsExactly("Redis must be 6.2 or newer to keep idempotency records, but is " + version + ".");
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.2.0", "6.2.11", "6.10.0", "7.0.15", "8.2.1", "10.0.0", "255.255.255", "unstable", ""})
    void anyOtherIsTaken(String version) {
        info.setProperty("redis_version", version);
        assertThat(new ServerInfo(info).refusals()).isEmpty();
    }

    @Test
    void whatIsNotToldIsNotJudged() {
        assertThat(new ServerInfo(info).refusals()).isEmpty();
        assertThat(new ServerInfo(info).concerns(2)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "volatile-lru",
                "volatile-lfu",
                "volatile-ttl",
                "volatile-random",
                "allkeys-lru",
                "allkeys-lfu",
                "allkeys-random"
            })
    void everyPolicyThatForgetsKeysIsNamed(String policy) {
        info.setProperty("maxmemory_policy", policy);
        assertThat(new ServerInfo(info).concerns(0))
                .singleElement()
                .asString()
                .contains("maxmemory-policy " + policy + ")", "set maxmemory-policy noeviction");
    }

    @Test
    void aServerThatIsAsItShouldBeIsNotCommentedOn() {
        info.setProperty("redis_version", "7.4.1");
        info.setProperty("maxmemory_policy", "noeviction");
        info.setProperty("aof_enabled", "1");
        info.setProperty("role", "master");
        info.setProperty("connected_slaves", "1");
        assertThat(new ServerInfo(info).concerns(1)).isEmpty();
        assertThat(new ServerInfo(info).concerns(2)).singleElement().asString().contains("wait-replicas is 2");
    }
}
