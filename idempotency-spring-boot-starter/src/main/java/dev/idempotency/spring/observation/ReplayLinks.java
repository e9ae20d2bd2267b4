// SPDX-License-Identifier: Apache-2.0
package dev.idempotency.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;

/** Makes a replay's span, with a link to the span of the call that ran, in whatever trace that was. */
public final class ReplayLinks implements TracingObservationHandler<ReplayContext> {

    private final Tracer tracer;

    public ReplayLinks(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof ReplayContext;
    }

    @Override
    public Tracer getTracer() {
        return tracer;
    }

    @Override
    public void onStart(ReplayContext context) {
        Span.Builder builder = tracer.spanBuilder();
        Span parent = getParentSpan(context);
        if (parent != null) {
            builder.setParent(parent.context());
        }
        String first = context.firstTraceId();
        int hyphen = first == null ? -1 : first.indexOf('-');
        if (first != null && hyphen > 0) {
            builder.addLink(new Link(tracer.traceContextBuilder()
                    .traceId(first.substring(0, hyphen))
                    .spanId(first.substring(hyphen + 1))
                    .sampled(true)
                    .build()));
        }
        getTracingContext(context).setSpan(builder.start());
    }

    @Override
    public void onStop(ReplayContext context) {
        Span span = getRequiredSpan(context);
        span.name(getSpanName(context));
        tagSpan(context, span);
        endSpan(context, span);
    }
}
