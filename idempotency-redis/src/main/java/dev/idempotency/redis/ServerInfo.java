// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What a server says of itself, and what that means for records.
 *
 * @param info its answer to {@code INFO}; what is missing there is not judged
 */
record ServerInfo(Properties info) {

    private static final int OLDEST_MAJOR = 6;
    private static final int OLDEST_MINOR = 2;

    List<String> refusals() {
        String version = info.getProperty("redis_version", "");
        String[] parts = version.split("\\.", -1);
        if (parts.length < 2) {
            return List.of();
        }
        int major = number(parts[0]);
        int minor = number(parts[1]);
        boolean tooOld = major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR);
        return tooOld && major >= 0
                ? List.of("Redis must be " + OLDEST_MAJOR + "." + OLDEST_MINOR
                        + " or newer to keep idempotency records," + " but is " + version + ".")
                : List.of();
    }

    List<String> concerns(int waitReplicas) {
        List<String> concerns = new ArrayList<>();
        String policy = info.getProperty("maxmemory_policy", "noeviction");
        if (!policy.equals("noeviction")) {
            concerns.add(
                    "Redis forgets keys when its memory is full (maxmemory-policy " + policy + "): a claim or an answer"
                            + " may vanish, and a repeat runs again; set maxmemory-policy noeviction.");
        }
        if (info.getProperty("aof_enabled", "1").equals("0")) {
            concerns.add(
                    "Redis has no append-only file (appendonly no): a crash or a restart forgets every record that is"
                            + " newer than its last snapshot, if it takes any.");
        }
        if (info.getProperty("role", "master").equals("slave")) {
            concerns.add("Redis is a replica, which takes no claims; connect to the primary.");
            return concerns;
        }
        int replicas = number(info.getProperty("connected_slaves", "-1"));
        if (waitReplicas > 0 && replicas >= 0 && replicas < waitReplicas) {
            concerns.add("Redis has " + replicas + " replicas, but idempotency.redis.wait-replicas is " + waitReplicas
                    + ": until there are as many, every claim is refused.");
        } else if (replicas == 0) {
            concerns.add("Redis has no replica: when the server is lost, so are its records.");
        }
        return concerns;
    }

    /** The number, or -1 if it is none. */
    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
