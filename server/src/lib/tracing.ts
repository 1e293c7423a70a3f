// Traces, if an operator asked for them. Without, every function here costs one comparison: what makes spans is loaded only then, see
// open-telemetry.ts.

/** A place in a trace, as W3C Trace Context writes it. */
export type TraceParent = string;

export interface SpanFacts {
  name: string;
  kind: 'consumer' | 'client';
  /** Where the work came from. One: the span continues its trace. Several: it begins a trace of its own that links to them. */
  origins: readonly TraceParent[];
  attributes?: Readonly<Record<string, string | number>>;
}

/** A request's span. `within` runs what belongs to it. */
export interface RequestSpan {
  within(work: () => void): void;
  end(name: string, attributes: Readonly<Record<string, string | number>>, hasFailed: boolean): void;
}

export interface Tracer {
  /** The place in the trace that is recorded now. */
  current(): TraceParent | undefined;
  span<T>(facts: SpanFacts, work: () => Promise<T>): Promise<T>;
  request(headers: Readonly<Record<string, unknown>>): RequestSpan;
}

let tracer: Tracer | undefined;

/** Called once, before the service starts. */
export function traceWith(chosen: Tracer | undefined): void {
  tracer = chosen;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** To be kept with work that is done later. Undefined if nothing is recorded. */
export function currentTrace(): TraceParent | undefined {
  return tracer?.current();
}

export function inSpan<T>(facts: SpanFacts, work: () => Promise<T>): Promise<T> {
  return tracer ? tracer.span(facts, work) : work();
}

export function requestSpan(headers: Readonly<Record<string, unknown>>): RequestSpan | undefined {
  return tracer?.request(headers);
}
