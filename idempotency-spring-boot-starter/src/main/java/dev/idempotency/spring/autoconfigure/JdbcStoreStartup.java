// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import dev.idempotency.jdbc.Database;
import dev.idempotency.jdbc.JdbcCleanup;
import dev.idempotency.jdbc.JdbcSchema;
import dev.idempotency.jdbc.UnsupportedDatabaseException;
import dev.idempotency.store.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Sees to the tables once all beans are there, so that migrations have run, and then starts the clean-up. */
final class JdbcStoreStartup implements SmartInitializingSingleton, DisposableBean {

    private static final Logger log = LoggerFactory.getLogger("dev.idempotency");

    private final JdbcSchema schema;
    private final JdbcCleanup cleanup;
    private final JdbcProperties properties;

    JdbcStoreStartup(JdbcSchema schema, JdbcCleanup cleanup, JdbcProperties properties) {
        this.schema = schema;
        this.cleanup = cleanup;
        this.properties = properties;
    }

    @Override
    public void afterSingletonsInstantiated() {
        try {
            requireTables();
        } catch (StoreUnavailableException e) {
            log.warn(
                    "The database for idempotency records gives no answer; protected requests are treated by their"
                            + " store-failure rule until it does.",
                    e);
        } catch (UnsupportedDatabaseException e) {
            throw new InvalidConfigurationException(
                    e.getMessage() + "; idempotency.store must be redis or memory, or idempotency.jdbc.data-source"
                            + " must name another DataSource",
                    e);
        }
        if (properties.cleanup().enabled()) {
            cleanup.start();
        }
    }

    private void requireTables() {
        Database database = schema.database();
        if (schema.exists()) {
            return;
        }
        if (mayCreate()) {
            schema.create();
            return;
        }
        throw new InvalidConfigurationException("the table " + properties.tablePrefix()
                + "record for idempotency records is missing, or lacks a column; it must be created by a migration from"
                + " the script classpath:" + JdbcSchema.createScript(database)
                + ", or idempotency.jdbc.initialize-schema must be always, or idempotency.store must be another one");
    }

    private boolean mayCreate() {
        return switch (properties.initializeSchema()) {
            case ALWAYS -> true;
            case NEVER -> false;
            case EMBEDDED -> schema.isInMemory();
        };
    }

    @Override
    public void destroy() {
        cleanup.close();
    }
}
