/**
 * Run shell commands for agents: judged, recorded as events, and ended when they should be.
 *
 * @module
 */
export { createRuntime } from "./runtime/create.ts";
export type { OutputOptions, RuntimeOptions } from "./runtime/options.ts";
export type { RuleLists } from "./runtime/permission-schema.ts";
export type { CloseOptions, OpenSessionOptions, Running, Runtime } from "./runtime/runtime.ts";
export type { GuestOptions } from "./runtime/control/guest/guest-options.ts";
export type { Permission } from "./runtime/permits.ts";
export type { ReadTaskOptions } from "./runtime/readers.ts";
export { RequestError, type RunOptions } from "./runtime/request.ts";
export type { Ending, RunResult } from "./runtime/result.ts";
export { type Live, LiveProjection } from "./runtime/live.ts";
export type { EventStream } from "./runtime/event-stream.ts";
export type { Facts, Message, Reaction } from "./runtime/reactions.ts";
export type { EnvPolicy } from "./env/policy.ts";

export type * from "./event/command.ts";
export type * from "./event/env.ts";
export { EnvValues } from "./event/env-values.ts";
export * from "./event/event.ts";
export type * from "./event/execution.ts";
export type * from "./event/leftover.ts";
export type * from "./event/output.ts";
export type * from "./event/permission.ts";
export type * from "./event/session.ts";
export type * from "./event/task.ts";

export type { EventLog } from "./event/log/log.ts";
export { type FileLog, type FileLogOptions, openFileLog } from "./event/log/file-log.ts";
export { MemoryLog, type MemoryLogOptions } from "./event/log/memory-log.ts";
export { LogError } from "./event/log/log-error.ts";
export { readLog } from "./event/log/read-log.ts";
export { fold, project, type Projection } from "./event/project.ts";

export { type Stage, stage } from "./stream/stage.ts";
export type { ByteSink, ByteSinks, Demand } from "./stream/bytes.ts";
export { parse, type ParseOptions } from "./command/parse.ts";
export { analyse, type AnalyseOptions } from "./command/analyse.ts";
export type { AnalysisFacts } from "./command/facts.ts";
export { type FixedLine, fixUp } from "./session/fix-up.ts";
export type { DangerRule, Operands, Program, Starts } from "./command/program/program.ts";
export type { Programs } from "./command/program/programs.ts";
export { readPrograms } from "./command/program/user-programs.ts";
export { permit, type PermitChoice, type PermitOptions } from "./permission/permit.ts";
export {
  createPolicy,
  type Policy,
  type PolicyOptions,
  type PolicyRules,
} from "./permission/policy.ts";
export { judge, type JudgeFacts } from "./permission/judge.ts";
export type { Verdict } from "./permission/verdict.ts";
export type { Mode } from "./permission/mode.ts";
export type { Asker, Question, RuleStore } from "./permission/asker.ts";
export {
  INTERCEPTION_RULES,
  type InterceptionOptions,
  type InterceptionRule,
} from "./permission/interception.ts";
export type { Rule } from "./permission/rules/rule.ts";
export { readRuleFile } from "./permission/rules/rule-file.ts";
export { fileRuleStore } from "./permission/rules/rule-store.ts";
export { check, type CheckAnswer, type CheckOptions, type CheckRequest } from "./runtime/check.ts";
export { explain } from "./runtime/explain.ts";
export { type InputFacts, type InputRequest, judgeInput } from "./runtime/judge-input.ts";
export type { PermissionOptions } from "./runtime/permission-options.ts";
export { type Paths, systemPaths } from "./platform/file/paths.ts";
export { construct, type ConstructOptions } from "./env/construct.ts";
export { execute, type ExecuteOptions } from "./execution/execute.ts";
export { buffer, type BufferOptions } from "./output/buffer.ts";
export { pipeline, type PipelineOptions } from "./pipeline.ts";
export {
  type ConstructGate,
  type Decide,
  type ExecuteGate,
  type Gate,
  gate,
  type GateEvent,
  type Passed,
  type PassedWith,
  type PermitGate,
  type Stopped,
} from "./gate.ts";

export type { Executor, ExecutorCapabilities, ExecutorMessage } from "./execution/executor.ts";
export { processExecutor } from "./execution/process/process-executor.ts";
export type { ProcessExecutorOptions } from "./execution/process/process-run.ts";
export { executorsByKind, type ExecutorTable } from "./execution/executors-by-kind.ts";
export { ByteLog } from "./output/byte-log.ts";
export { ByteLogs, type ByteLogsOptions } from "./output/byte-logs.ts";
export type { ByteRange } from "./stream/byte-range.ts";
export type { ReadOptions, ReadResult } from "./output/read/read-log.ts";
export {
  reading,
  type ReadingOptions,
  readingProjection,
  type ReadingState,
  readTo,
} from "./output/reading.ts";
export { type ReadableLog, sourceOf } from "./text/source/log-source.ts";
export type { ByteSource, SourceRead } from "./text/source/source.ts";
export { type Excerpt, excerpt } from "./text/excerpt/excerpt.ts";
export type { KeptError } from "./text/excerpt/scan.ts";
export type { ExcerptOptions, NextPlace } from "./text/excerpt/excerpt-options.ts";
export { type Lines, lines, type LinesOptions } from "./text/lines.ts";
export { asciicast, type AsciicastOptions, type CastEvent } from "./text/asciicast.ts";
export { search, type SearchOptions, type SearchResult } from "./text/search/search.ts";
export type { ExpressionOptions } from "./text/search/expression.ts";
export type { Match } from "./text/search/matches.ts";
export { textView, type TextWindow } from "./text/view/text-window.ts";
export {
  type RenderOptions,
  TextView,
  type TextViewOptions,
  type ViewLine,
} from "./text/view/text-view.ts";
export type { DecodingOptions } from "./text/decode/decode.ts";
export type { WindowOptions } from "./text/decode/edges.ts";
export { openSession, type Session, type SessionOptions } from "./session/session.ts";
export type { ExecutorPreference } from "./session/choose-executor.ts";
export { isHot } from "./session/hot.ts";
export { sessions, type SessionTable, type SessionView } from "./session/sessions.ts";
export type { Decision, Task, TaskStatus } from "./task/task.ts";
export { tasks, type TaskTable } from "./task/tasks.ts";
export { OwnedError } from "./platform/owner/owner-lock.ts";
export { ownerAt } from "./runtime/control/owner.ts";
export { readState } from "./runtime/state/read-state.ts";
export { type Clock, systemClock } from "./platform/clock.ts";
