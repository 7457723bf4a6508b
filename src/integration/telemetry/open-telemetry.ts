/**
 * The parts of the API of OpenTelemetry that are used: its tracers and meters have these shapes, and
 * the package itself is not needed.
 */

/** Names and values that describe a span or a measurement. */
export type Attributes = Readonly<Record<string, string | number>>;

/** As `trace.getTracer("…")` gives it. */
export interface Tracer {
  startSpan(
    name: string,
    options: { readonly startTime: Date; readonly attributes: Attributes },
  ): Span;
}

/** One thing that takes its time. */
export interface Span {
  setAttributes(attributes: Attributes): unknown;
  addEvent(name: string, attributes: Attributes, at: Date): unknown;
  setStatus(status: { readonly code: number; readonly message: string }): unknown;
  end(at: Date): void;
}

/** How an instrument is described. */
export interface InstrumentDescription {
  readonly description: string;
  readonly unit: string;
  readonly advice?: { readonly explicitBucketBoundaries: number[] };
}

/** Adds up values. */
export interface Counter {
  add(value: number, attributes?: Attributes): void;
}

/** Counts values by their size. */
export interface Histogram {
  record(value: number, attributes: Attributes): void;
}

/** As `metrics.getMeter("…")` gives it. */
export interface Meter {
  createCounter(name: string, description: InstrumentDescription): Counter;
  createUpDownCounter(name: string, description: InstrumentDescription): Counter;
  createHistogram(name: string, description: InstrumentDescription): Histogram;
}
