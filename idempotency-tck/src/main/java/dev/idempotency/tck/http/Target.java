// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.tck.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A server that may be tested: this machine, or a host whose owner has agreed.
 *
 * @param scheme {@code http} or {@code https}
 * @param prefix path that every request's path is appended to; without a slash at its end, so it may be empty
 */
public record Target(String scheme, String host, int port, String prefix) {

    /**
     * The server at a base URL.
     *
     * @param consented names of hosts, other than this machine, that may be tested
     * @throws IllegalArgumentException if the URL is not one of a server, or its host may not be tested
     */
    public static Target of(URI base, Collection<String> consented) {
        String scheme = base.getScheme() == null ? "" : base.getScheme().toLowerCase(Locale.ROOT);
        String host = base.getHost();
        if (host == null || !(scheme.equals("http") || scheme.equals("https"))) {
            throw new IllegalArgumentException("the URL must be http://host:port or https://host:port, but is " + base);
        }
        if (base.getRawUserInfo() != null || base.getRawQuery() != null || base.getRawFragment() != null) {
            throw new IllegalArgumentException("the URL must have no user, query or fragment, but is " + base);
        }
        String bare = host.replace("[", "").replace("]", "");
        if (consented.stream().noneMatch(bare::equalsIgnoreCase) && !isThisMachine(bare)) {
            throw new IllegalArgumentException(
                    "only this machine is tested without being asked for by name: say that you may test " + bare);
        }
        int port = base.getPort() >= 0 ? base.getPort() : scheme.equals("https") ? 443 : 80;
        String path = base.getRawPath() == null ? "" : base.getRawPath();
        return new Target(scheme, bare, port, path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    }

    private static boolean isThisMachine(String host) {
        try {
            return Stream.of(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Whether the connection is encrypted. */
    public boolean secure() {
        return scheme.equals("https");
    }

    /** Host and port as the {@code Host} header has them. */
    String authority() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public String toString() {
        return scheme + "://" + authority() + prefix;
    }
}
