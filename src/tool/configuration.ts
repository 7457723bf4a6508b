import type { Observable } from "rxjs";
import type { Ids } from "../platform/ids.ts";
import type { ExecutorCapabilities } from "../execution/executor.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { ToolFiles } from "./artifact/tool-files.ts";
import type { CompiledFilter, OutputFilter } from "./filter/output-filter.ts";
import type { ForeignTask } from "./tool.ts";

/** The language that a family of tools speaks. */
export type ShellFamily = "bash" | "powershell";

/** Which of the tools of a family. */
export type ToolKind = "run" | "read" | "write" | "stop" | "list";

/** All of them. */
export const TOOL_KINDS: readonly ToolKind[] = ["run", "read", "write", "stop", "list"];

/** The names of a family of tools. */
export type ToolNames = Readonly<Record<ToolKind, string>>;

/** How the tools of a runtime work. Everything has a default. */
export interface ToolsOptions {
  /** Default `bash`. */
  readonly family?: ShellFamily;
  /** Other names for some of the tools, as where an agent has those of two runtimes; default those of the family. */
  readonly names?: Partial<ToolNames>;
  /** Which tools there are; default all that the runtime can serve. */
  readonly tools?: readonly ToolKind[];
  /** The owner of the commands, unless a call names another one; default `agent`. */
  readonly owner?: string;
  /** The default of `initial_wait`, in seconds; default 30. */
  readonly initialWaitSeconds?: number;
  /** How long a call waits at most, in seconds; default 600. */
  readonly maxWaitSeconds?: number;
  /** The default of `timeout`, in seconds; 0 means none; default 300. */
  readonly timeoutSeconds?: number;
  /** What a command's own limit is clamped to, in seconds; default 3 600, or a longer `timeoutSeconds`. */
  readonly maxTimeoutSeconds?: number;
  /** Whether commands can be started in the background; default `true`. */
  readonly background?: boolean;
  /** Whether commands can be detached from the host, where the runtime can; default `true`. */
  readonly detach?: boolean;
  /** After how many seconds every wait moves on to the background; 0, the default: `initial_wait` alone decides. */
  readonly autoBackgroundSeconds?: number;
  /** `exclusive` lets one call wait for a command at a time, in all shells; default `shared`. */
  readonly concurrency?: "shared" | "exclusive";
  /** What an aborted call does to its command: it goes on in the `background`, or it is stopped; default `background`. */
  readonly onAbort?: "background" | "stop";
  /** Whether a non-zero exit code makes the result an error; default `true`. */
  readonly nonZeroIsError?: boolean;
  /** UTF-16 code units of output in one answer; default 30 000. */
  readonly maxOutputChars?: number;
  /** Lines of output in one answer; default 500. */
  readonly maxOutputLines?: number;
  /** Whether lines that say little are left out of the output of known programs; default `true`. */
  readonly shorten?: boolean;
  /** What is left out of the output of further programs; they stand before what is built in. */
  readonly filters?: readonly OutputFilter[];
  /** Whether notices reach the model: only then are they recorded and promised; default `true`. */
  readonly notices?: boolean;
  /** Ends every wait of the suite when it emits, as when a person has said something. */
  readonly steering?: Observable<unknown>;
  /** Tasks of the framework, listed and promoted together with commands. */
  readonly foreign?: ForeignTasks;
  /** Resolves URLs of further schemes in `command`, `cwd` and `env`. */
  readonly resolvers?: Readonly<Record<string, UrlResolver>>;
  /** Leaves the check of input to the tools, for frameworks that hide from the model what was wrong. */
  readonly lenient?: boolean;
  /** Makes the ids of shells that a call does not name; default random ones. */
  readonly ids?: Ids;
  /** Whether a shell with a name keeps its state from command to command; default `true`, where the runtime can. */
  readonly keepShells?: boolean;
  /** Where `local://` files are, as an absolute path; default a temporary directory that goes with the runtime. */
  readonly directory?: string;
}

/** What the tools of a suite share. */
export interface Suite extends
  Required<
    Omit<
      ToolsOptions,
      | "tools"
      | "names"
      | "steering"
      | "foreign"
      | "lenient"
      | "keepShells"
      | "directory"
      | "filters"
    >
  > {
  readonly runtime: Runtime;
  readonly names: ToolNames;
  /** The tools that there are. */
  readonly kinds: readonly ToolKind[];
  /** Those of the runtime; its shells are persistent only where they are kept. */
  readonly capabilities: ExecutorCapabilities;
  readonly files: ToolFiles;
  /** The filters of its user, and those that are built in. */
  readonly filters: () => Promise<readonly CompiledFilter[]>;
  readonly steering: Observable<unknown> | undefined;
  readonly foreign: ForeignTasks | undefined;
}

/** The names of a family. */
export function toolNames(family: ShellFamily): ToolNames {
  return {
    run: family,
    read: `read_${family}`,
    write: `write_${family}`,
    stop: `stop_${family}`,
    list: `list_${family}`,
  };
}

/**
 * The path that a URL of a scheme means.
 *
 * @param rest What follows `scheme://`.
 * @throws {Error} When there is no such thing; nothing is run then.
 */
export type UrlResolver = (rest: string) => string | Promise<string>;

/** The tasks of a framework, for one list and one promote call. */
export interface ForeignTasks {
  /** Those of an owner. */
  list(owner: string): readonly ForeignTask[];
  /** Let it go on in the background; answers whether there is such a task. */
  promote(id: string): boolean;
}
