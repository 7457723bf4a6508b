/**
 * Run shell commands for agents: judged before they run, recorded as events, and ended reliably.
 *
 * `createRuntime` is the way in; everything else is for what a runtime does not do by itself. The
 * stages of a command, gates, executors, projections and reactions are in `docs/stages.md`.
 *
 * @module
 */

// The runtime.
export { createRuntime } from "./runtime/create.ts";
export type {
  CreateExecutorOptions,
  OutputOptions,
  RuntimeOptions,
  SandboxOptions,
} from "./runtime/options/options.ts";
export type { PermissionOptions } from "./runtime/permission/permission-options.ts";
export type {
  CloseOptions,
  OpenSessionOptions,
  Running,
  Runtime,
  WaitOptions,
} from "./runtime/runtime.ts";
export type { OnSession, SessionStart } from "./runtime/session-start.ts";
export type { GuestOptions } from "./runtime/control/guest/guests.ts";
export type { Permission } from "./runtime/permission/permits.ts";
export type { ReadTaskOptions } from "./runtime/output/readers.ts";
export { maskedOutput } from "./runtime/output/masked-output.ts";
export { RequestError, type RunOptions } from "./runtime/call/request.ts";
export {
  type CommandInput,
  InputError,
  type InputOptions,
  type InputRefusal,
} from "./runtime/terminal/command-input.ts";
export type { ScreenOptions } from "./runtime/terminal/screens.ts";
export type { CellColor, CellStyle, ScreenSnapshot, StyledRun } from "./screen/snapshot.ts";
export type { InputWait } from "./screen/input-wait.ts";
export type { ScreenModes } from "./screen/modes.ts";
export type { ProgramReport } from "./screen/program-report.ts";
export type { SizeFrom } from "./screen/rebuild.ts";
export type { TerminalSize } from "./platform/terminal/terminals.ts";
export type { Ending, RunResult } from "./runtime/call/result.ts";
export type { EventStream } from "./runtime/event-stream.ts";
export type { Live } from "./runtime/live.ts";
export { type OpenLog, openLog, type OpenLogOptions } from "./runtime/history/open-log.ts";
export type {
  EventSelection,
  ReadRecordedOptions,
  RecordedNotices,
  RecordedRuntime,
} from "./runtime/history/recorded-runtime.ts";
export type { Facts, Message, Reaction } from "./runtime/reactions.ts";
export { OwnedError } from "./platform/owner/owner-lock.ts";
export type { LockRecord } from "./platform/owner/lock-record.ts";
export { bashSnapshot, type BashSnapshotOptions } from "./platform/environment/bash-snapshot.ts";
export {
  loginEnvironment,
  type LoginEnvironmentOptions,
} from "./platform/environment/login-environment.ts";
export type { Capability } from "./platform/process/missing-capabilities.ts";
export type { Sandbox } from "./platform/process/containment.ts";

// What is seen of tasks, sessions and notices.
export {
  type Decision,
  type Detachment,
  type Task,
  type TaskMode,
  taskMode,
  type TaskStatus,
} from "./task/task-view.ts";
export { tasks, type TaskTable } from "./task/tasks.ts";
export { isHot } from "./session/hot.ts";
export {
  type SessionCommand,
  sessions,
  type SessionTable,
  type SessionView,
} from "./session/sessions.ts";
export type { ExecutorPreference } from "./session/choose-executor.ts";
export type { Notice, NoticeKind } from "./notification/due-notice.ts";
export type { DeliveredNotice, NoticeClaim, Notices } from "./notification/notice-board.ts";
export type { LiveCommand } from "./notification/notices.ts";
export type { PersistentMap, PersistentQueue, PersistentSet } from "./stream/persistent.ts";

// Events, where they are kept, and projections of them.
export * from "./event/event.ts";
export type * from "./event/analysis.ts";
export type * from "./event/command.ts";
export type * from "./event/env.ts";
export { EnvValues } from "./event/env-values.ts";
export type * from "./event/execution.ts";
export type * from "./event/leftover.ts";
export type * from "./event/notice.ts";
export type * from "./event/output.ts";
export type * from "./event/permission.ts";
export type * from "./event/session.ts";
export type * from "./event/task.ts";
export type { EventLog } from "./event/log/log.ts";
export { MemoryLog, type MemoryLogOptions } from "./event/log/memory-log.ts";
export { LogError, type LogErrorCode } from "./event/log/log-error.ts";
export { type LogDamage, readLog, type ReadLogOptions } from "./event/log/read-log.ts";
export { fold, type Projection } from "./event/project.ts";

// The stages of a command, and what stands between them.
export { type Happened, type Reads, type Stage, stage } from "./stream/stage.ts";
export { parse, type ParseOptions } from "./command/parse.ts";
export { permit, type PermitChoice, type PermitOptions } from "./permission/permit.ts";
export type { SecondOpinion } from "./permission/judge-twice.ts";
export { secondOpinion, type SecondOpinionOptions } from "./command/second-opinion.ts";
export type { CommandFinder, FoundCommand, Grammar } from "./platform/grammar.ts";
export type { Lazy } from "./platform/lazy.ts";
export {
  construct,
  type ConstructOptions,
  defaultEnvPolicy,
  type ShellProgram,
} from "./env/construct.ts";
export { execute, type ExecuteOptions } from "./execution/execute.ts";
export { buffer, type BufferOptions } from "./output/buffer.ts";
export { pipeline, type PipelineOptions } from "./pipeline.ts";
export {
  type ConstructGate,
  type Decide,
  type ExecuteGate,
  type Gate,
  gate,
  type GateBefore,
  type GateEvent,
  type Passed,
  type PassedWith,
  type PermitGate,
  type Stopped,
} from "./gate.ts";
export type { ChooseEnv, EnvFacts } from "./env/construct.ts";
export type { EnvPolicy } from "./env/env-policy.ts";
export type { ProfileName } from "./env/profiles.ts";
export type { Variables } from "./env/build-environment.ts";
export { bash, type Dialect } from "./shell/bash.ts";
export { quote } from "./shell/quote.ts";

// Executors.
export { createExecutor } from "./runtime/create-executor.ts";
export { executorsByKind, type ExecutorTable } from "./execution/executors-by-kind.ts";
export type {
  Adoption,
  Executor,
  ExecutorCapabilities,
  ExecutorMessage,
  InputMessage,
  LiveScreen,
  ReleaseCause,
} from "./execution/executor.ts";
export type { ByteSink, ByteSinks, Demand, OutputStream } from "./stream/bytes.ts";

// What may run.
export {
  check,
  type CheckAnswer,
  type CheckOptions,
  type CheckRequest,
} from "./runtime/permission/check.ts";
export { explain } from "./runtime/permission/explain.ts";
export {
  type InputFacts,
  type InputRequest,
  judgeInput,
} from "./runtime/permission/judge-input.ts";
export { createPolicy } from "./runtime/permission/create-policy.ts";
export type { Policy, PolicyOptions, PolicyRules, ProgramWords } from "./permission/policy.ts";
export { judge, type JudgeFacts } from "./permission/judge.ts";
export type { Verdict } from "./permission/verdict.ts";
export type { Mode } from "./permission/mode.ts";
export type { Asker, Question, RuleStore } from "./permission/asker.ts";
export {
  INTERCEPTION_RULES,
  type InterceptionOptions,
  type InterceptionRule,
  type Interceptor,
} from "./permission/interception.ts";
export type { Meaning as RuleMeaning } from "./permission/rules/among.ts";
export type { Match as RuleMatch, Rule } from "./permission/rules/rule.ts";
export type { Words } from "./permission/words.ts";
export { readRuleFile } from "./permission/rules/rule-file.ts";
export { fileRuleStore } from "./permission/rules/rule-store.ts";
export { analyse, type AnalyseOptions } from "./command/analyse.ts";
export type { AnalysisFacts } from "./command/facts.ts";
export { type FixedLine, fixUp } from "./session/fix-up.ts";
export type { DangerRule, Operands, Program, Starts } from "./command/program/program-record.ts";
export type { Programs } from "./command/program/programs.ts";
export { readPrograms } from "./command/program/user-programs.ts";

// Output: bytes, and the text of them.
export { type Artifact, ByteLog, type TaskOutput } from "./output/byte-log.ts";
export { ByteLogs, type ByteLogsOptions, type KeepOptions } from "./output/byte-logs.ts";
export type { RetentionOptions } from "./output/retention.ts";
export { type SpillFile, type SpillFiles, spillFiles } from "./platform/file/spill-files.ts";
export type { SpillEvent } from "./output/spill/spill.ts";
export type { Hold } from "./output/memory/holds.ts";
export type { Readable, Source } from "./output/read/readable.ts";
export type { ByteRange } from "./stream/byte-range.ts";
export type { ReadOptions, ReadResult } from "./output/read/read-bytes.ts";
export type { FollowOptions } from "./output/read/follow.ts";
export type { PiecesOptions } from "./output/read/pieces.ts";
export type { ByteSource, SourceRead } from "./text/source/source.ts";
export { type Excerpt, excerpt } from "./text/excerpt/excerpt.ts";
export type { KeptError } from "./text/excerpt/scan.ts";
export type { ExcerptOptions, NextPlace } from "./text/excerpt/excerpt-options.ts";
export { type Lines, lines, type LinesOptions } from "./text/lines.ts";
export { asciicast, type AsciicastOptions } from "./text/asciicast.ts";
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

// The world as ports.
export { type CancelTimer, type Clock, systemClock } from "./platform/clock.ts";
export type { DirectoryCheck } from "./platform/file/directories.ts";
export { type Ids, randomIds } from "./platform/ids.ts";
export { type Paths, systemPaths } from "./platform/file/paths.ts";
export type { DetachedIdentity } from "./platform/process/detached/detached-files.ts";
export type {
  ChildProcess,
  ExitStatus,
  InputPipe,
  Processes,
  ProcessEvents,
  ProcessIdentity,
  ProcessInfo,
  ProcessTable,
  Spawning,
  SpawnSpec,
} from "./platform/process/processes.ts";
