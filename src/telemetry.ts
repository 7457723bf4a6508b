/**
 * Report commands to OpenTelemetry, as spans and measurements.
 *
 * @module
 */
export { instrument, type InstrumentOptions } from "./integration/telemetry/instrument.ts";
export type {
  Attributes,
  Counter,
  Histogram,
  InstrumentDescription,
  Meter,
  Span,
  Tracer,
} from "./integration/telemetry/open-telemetry.ts";
