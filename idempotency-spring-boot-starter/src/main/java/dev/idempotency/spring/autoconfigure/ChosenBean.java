// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;

/**
 * Which of the application's beans of a type is meant: the one that a setting names, else the only or primary one, else the
 * one that has the name which Spring Boot gives its own.
 *
 * @param setting the property that may name it
 * @param bootsName what Spring Boot calls its own
 */
record ChosenBean<T>(Class<T> type, String setting, String bootsName) {

    /**
     * The bean; {@code null} if nothing says which.
     *
     * @param name what the property says; {@code null} if nothing
     * @throws InvalidConfigurationException if there is no bean of that name and type
     */
    @Nullable
    T find(@Nullable String name, BeanFactory beans) {
        if (name != null) {
            try {
                return beans.getBean(name, type);
            } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
                throw new InvalidConfigurationException(
                        "idempotency." + setting + " must name a " + type.getSimpleName() + " bean, but is " + name, e);
            }
        }
        T only = beans.getBeanProvider(type).getIfUnique();
        return only == null && beans.containsBean(bootsName) ? beans.getBean(bootsName, type) : only;
    }

    /**
     * The bean, which must be there.
     *
     * @throws InvalidConfigurationException if nothing says which
     */
    T get(@Nullable String name, BeanFactory beans) {
        T found = find(name, beans);
        if (found == null) {
            throw new InvalidConfigurationException("the application has several " + type.getSimpleName()
                    + " beans and none of them is primary; idempotency." + setting + " must name the one to use");
        }
        return found;
    }
}
