// Records traces with OpenTelemetry and sends them where its standard variables say. Loaded only if they are set: see config.ts.
import {
  type Context,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { RequestSpan, TraceParent, Tracer } from './lib/tracing.js';

const kinds = { consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };

/** `stop` sends what is left. */
export function startTracing(): { tracer: Tracer; stop(): Promise<void> } {
  const named = resourceFromAttributes({ 'service.name': 'rapport' });
  const provider = new NodeTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come last, so they decide.
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  const tracer = provider.getTracer('rapport');

  return {
    tracer: {
      current,
      span: (facts, work) => {
        const { from, links } = originOf(facts.origins);
        const options = { kind: kinds[facts.kind], attributes: { ...facts.attributes }, links };
        return tracer.startActiveSpan(facts.name, options, from, (span) => run(span, work));
      },
      request: (headers) => {
        const from = propagation.extract(ROOT_CONTEXT, headers);
        return requestSpanOf(tracer.startSpan('request', { kind: SpanKind.SERVER }, from), from);
      },
    },
    stop: () => provider.shutdown(),
  };
}

async function run<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Its name alone: messages of the database may quote values.
    span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
    throw error;
  } finally {
    span.end();
  }
}

function requestSpanOf(span: Span, from: Context): RequestSpan {
  return {
    within: (work) => context.with(trace.setSpan(from, span), work),
    end: (name, attributes, hasFailed) => {
      span.updateName(name).setAttributes({ ...attributes });
      if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Only what is recorded: work of an unsampled request is not. */
function current(): TraceParent | undefined {
  const now = trace.getActiveSpan()?.spanContext();
  if (!now || !isSpanContextValid(now) || !(now.traceFlags & TraceFlags.SAMPLED)) return undefined;
  return `00-${now.traceId}-${now.spanId}-01`;
}

function originOf(origins: readonly TraceParent[]) {
  const contexts = origins.map((traceparent) => propagation.extract(ROOT_CONTEXT, { traceparent }));
  if (contexts.length === 1) return { from: contexts[0] as Context, links: [] };
  const links = contexts.flatMap((each) => {
    const found = trace.getSpanContext(each);
    return found ? { context: found } : [];
  });
  return { from: ROOT_CONTEXT, links };
}
