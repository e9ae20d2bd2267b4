// SPDX-License-Identifier: Apache-2.0
package dev.idempotency;

import dev.idempotency.policy.IdempotencyLevel;
import dev.idempotency.policy.MissingKey;
import dev.idempotency.policy.OnCompleted;
import dev.idempotency.policy.OnDuplicate;
import dev.idempotency.policy.OnOrphan;
import dev.idempotency.policy.StoreFailure;
import dev.idempotency.policy.Streaming;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Protects a method, or every public method of a class, against repeats: one call is executed once, and every repeat gets
 * the first answer. On a controller it speaks of its handler methods and the requests to them; on any other bean of the
 * calls through the bean's proxy.
 *
 * <p>Nothing needs to be configured elsewhere. An attribute given here wins over {@code idempotency.biz-types.<name>},
 * which wins over {@code idempotency.defaults}. An attribute left out says nothing. Attributes that take an array take
 * one value at most. An annotation on a method wins as a whole over one on its class.
 *
 * <p>Requests with a safe HTTP method (GET, HEAD, OPTIONS, TRACE) are never protected.
 */
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {

    /**
     * What the kind of operation is called: 1 to 64 characters of {@code A-Z a-z 0-9 _ . -}. The name of its settings in
     * yml, a part of every record key, and a tag of every metric.
     */
    String bizType() default "default";

    /**
     * SpEL expression that yields the business id from the method's arguments, those of a handler as Spring binds them,
     * such as {@code #req.userId + '_' + #req.orderNo}; a leading {@code SpEL:} is accepted. Types, beans and constructors
     * cannot be reached from it. If a handler leaves it out, the business id is read from the request as
     * {@code idempotency.business-id} says. A method that is no handler must have it, as it is the method's key.
     */
    String keyResolver() default "";

    /** How long a claim holds if its owner goes silent, in seconds, 1 or more; 0 leaves it to the configuration. */
    int timeoutSeconds() default 0;

    /** How long a finished record answers repeats, as {@code 30m} or {@code PT30M}; empty leaves it to the configuration. */
    String ttl() default "";

    /** How much of a repeat must agree with the first request. */
    IdempotencyLevel[] level() default {};

    /** What happens to a request without an idempotency key. */
    MissingKey[] missingKey() default {};

    /** What a repeat gets while the first request is running. */
    OnDuplicate[] onDuplicate() default {};

    /** What a repeat gets after success. */
    OnCompleted[] onCompleted() default {};

    /** What a repeat may do with a claim whose owner went silent. */
    OnOrphan[] onOrphan() default {};

    /** What happens when the store gives no answer. */
    StoreFailure[] storeFailure() default {};

    /**
     * Whether the method's effect in the database and its record are committed by one transaction, which needs a store
     * that can take part in it, such as {@code jdbc}. It begins before the method and joins its {@code @Transactional}.
     */
    boolean[] transactional() default {};

    /** What to do if the method streams its answer, which cannot be kept. */
    Streaming streaming() default Streaming.REFUSE;
}
