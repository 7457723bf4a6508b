import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { SpanStatusCode } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { from } from "rxjs";
import { createRuntime, type Recorded } from "../../src/mod.ts";
import { instrument } from "../../src/telemetry.ts";
import { playback, scripted } from "../../src/testing.ts";

const traced = () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { exporter, tracer: provider.getTracer("test") };
};
const measured = () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter });
  const provider = new MeterProvider({ readers: [reader] });
  return { exporter, provider, meter: provider.getMeter("test") };
};
const milliseconds = ([seconds, nanoseconds]: ReadableSpan["startTime"]) =>
  seconds * 1000 + nanoseconds / 1e6;

describe("instrument", () => {
  it("gives a span to each command, with the times of its events", async () => {
    const { exporter, tracer } = traced();
    const recordings = [
      scripted("make", { output: "built\n", durationMs: 90_000 }),
      scripted("make test", { ends: 2 }),
    ];
    await using runtime = await createRuntime({
      rules: { allow: ["Bash(make *)"] },
      ...playback(recordings),
    });
    const stop = instrument(runtime.events, { tracer });
    const made = await runtime.run("make", { owner: "agent-1" });
    await runtime.run("make test");
    await runtime.run("reboot");
    const [one, two, three, ...more] = exporter.getFinishedSpans();
    assert.ok(one && two && three);
    assert.deepEqual(more, []);
    assert.equal(one.name, "shellflow.command");
    assert.deepEqual(one.attributes, {
      "shellflow.task.id": made.taskId,
      "shellflow.session.id": made.sessionId,
      "shellflow.outcome": "exited",
      "shellflow.origin": "model",
      "shellflow.owner": "agent-1",
      "shellflow.executor": "replay",
      "shellflow.decision": "granted by rule",
      "shellflow.output.bytes": 6,
      // A played command has no process.
      "process.pid": 0,
      "process.working_directory": made.cwd.before,
      "process.exit.code": 0,
    });
    assert.ok(milliseconds(one.endTime) - milliseconds(one.startTime) >= 90_000);
    assert.equal(one.status.code, SpanStatusCode.UNSET);
    const names = one.events.map(({ name }) => name);
    assert.ok(names.includes("permission.granted") && names.includes("execution.started"));
    assert.deepEqual(two.status, { code: SpanStatusCode.ERROR, message: "exit code 2" });
    assert.equal(three.attributes["shellflow.decision"], "denied");
    assert.match(three.status.message ?? "", /^Cannot run "reboot"/);
    stop();
  });

  it("has the text of commands only where that is asked for", async () => {
    const { exporter, tracer } = traced();
    await using runtime = await createRuntime({ mode: "bypass" });
    instrument(runtime.events, { tracer, commandText: true });
    await runtime.run("true");
    assert.equal(exporter.getFinishedSpans()[0]?.attributes["process.command_line"], "true");
  });

  it("gives the same spans for recorded events, those without an end included", async () => {
    const live = traced();
    const events: Recorded[] = [];
    const runtime = await createRuntime({ mode: "bypass" });
    instrument(runtime.events, { tracer: live.tracer });
    runtime.events.subscribe((recorded) => events.push(recorded));
    await runtime.run("exit 3");
    await runtime.close();
    const later = traced();
    instrument(from(events), { tracer: later.tracer });
    const shown = (exporter: InMemorySpanExporter) =>
      exporter.getFinishedSpans().map(({ attributes, startTime, endTime, status, events }) => ({
        attributes,
        startTime,
        endTime,
        status,
        events,
      }));
    assert.deepEqual(shown(later.exporter), shown(live.exporter));
    const cut = traced();
    instrument(from(events.slice(0, 3)), { tracer: cut.tracer });
    const [open] = cut.exporter.getFinishedSpans();
    assert.equal(open?.attributes["shellflow.outcome"], "unknown");
  });

  it("harms no command where a tracer fails, and ends what is open when it stops", async (test) => {
    const warned: string[] = [];
    test.mock.method(process, "emitWarning", (text: string) => void warned.push(text));
    const { exporter, tracer } = traced();
    await using runtime = await createRuntime({ mode: "bypass" });
    const fails = () => {
      throw new Error("no tracer today");
    };
    instrument(runtime.events, { tracer: { startSpan: fails } });
    const stop = instrument(runtime.events, { tracer });
    assert.equal((await runtime.run("echo hi")).output, "hi\n");
    assert.deepEqual(warned, ["Cannot report to OpenTelemetry: Error: no tracer today"]);
    const running = runtime.start("sleep 30");
    stop();
    const [, open] = exporter.getFinishedSpans();
    assert.equal(open?.attributes["shellflow.outcome"], "unknown");
    await running.stop();
  });

  it("harms no host where a tracer fails at what was recorded before", async (test) => {
    const warned: string[] = [];
    test.mock.method(process, "emitWarning", (text: string) => void warned.push(text));
    await using runtime = await createRuntime({ mode: "bypass", ...playback([scripted("make")]) });
    await runtime.run("make");
    const startSpan = () => {
      throw new Error("no exporter");
    };
    instrument(runtime.events, { tracer: { startSpan } });
    assert.deepEqual(warned, ["Cannot report to OpenTelemetry: Error: no exporter"]);
  });

  it("refuses what is no tracer and no meter", async () => {
    await using runtime = await createRuntime(playback([]));
    // @ts-expect-error: a caller without types.
    assert.throws(() => instrument(runtime.events, { tracer: {} }), {
      name: "TypeError",
      message: "Cannot report to OpenTelemetry with tracer.startSpan undefined: it is missing",
    });
    // @ts-expect-error: a caller without types.
    assert.throws(() => instrument(runtime, {}), /^TypeError: .*there are no events; give runtime/);
    // @ts-expect-error: a caller without types.
    assert.throws(() => instrument(runtime.events, { trace: {} }), /there are tracer, meter/);
  });

  it("measures commands by how they ended", async () => {
    const { exporter, provider, meter } = measured();
    await using runtime = await createRuntime({ mode: "bypass" });
    instrument(runtime.events, { meter });
    await runtime.run("echo hi");
    await runtime.run("exit 1");
    await provider.forceFlush();
    const [{ scopeMetrics: [scope] } = { scopeMetrics: [] }] = exporter.getMetrics();
    const points = new Map(
      scope?.metrics.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]),
    );
    assert.deepEqual(points.get("shellflow.command.active")?.map(({ value }) => value), [0]);
    assert.deepEqual(points.get("shellflow.output")?.map(({ value }) => value), [3]);
    const [duration] = points.get("shellflow.command.duration") ?? [];
    assert.deepEqual(duration?.attributes, {
      "shellflow.outcome": "exited",
      "shellflow.origin": "model",
    });
    const { count, buckets } = duration?.value as {
      readonly count: number;
      readonly buckets: { readonly boundaries: readonly number[] };
    };
    assert.equal(count, 2);
    assert.equal(buckets.boundaries[0], 0.005, "a shell is done in milliseconds");
    await provider.shutdown();
  });
});
