import { firstValueFrom, merge } from "rxjs";
import * as v from "valibot";
import { abortOf } from "../stream/abort-of.ts";
import { checkFields } from "../value/check-fields.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Suite, ToolKind, ToolsOptions } from "./configuration.ts";
import { contextFields } from "./context-fields.ts";
import { descriptionOf } from "./descriptions.ts";
import { answered } from "./error/answered.ts";
import { invalidInput } from "./error/shell-error.ts";
import { listTool } from "./list/list-tool.ts";
import { toPortableSchema } from "./to-portable-schema.ts";
import { readTool } from "./read/read-tool.ts";
import type { RunnableTool } from "./runnable.ts";
import { runTool } from "./run/run-tool.ts";
import { suiteOf } from "./suite.ts";
import { stopTool } from "./stop/stop-tool.ts";
import type { CallContext, Tool, ToolResult } from "./tool.ts";
import { writeTool } from "./write/write-tool.ts";

/** The tools of one runtime. */
export interface ToolSuite extends Iterable<Tool> {
  /** One for each kind that there is; iterating the suite gives the same. */
  readonly tools: readonly Tool[];
  /** What the tools share. */
  readonly suite: Suite;
  /** Run a tool by its name; an unknown name is a result with `isError`. */
  call(name: string, input: unknown, context?: CallContext): Promise<ToolResult>;
  /** Let a command or a task of the framework go on in the background; answers whether there is one. */
  promote(id: string): boolean;
}

/**
 * The tools of a runtime, for an agent's framework: those that it can serve, as one family.
 *
 * @param runtime What runs the commands.
 * @param options Names, limits in seconds, and what there is; every option has a default.
 * @throws {TypeError} Without a runtime, and for the first option that cannot be used, with its name and value.
 *
 * @example Run a command as a model does
 * ```ts
 * import { createRuntime } from "shellflow";
 * import { createTools } from "shellflow/tools";
 *
 * await using runtime = await createRuntime({ rules: { allow: ["Bash(echo *)"] } });
 * const tools = createTools(runtime);
 * const { text, details } = await tools.call("bash", { command: "echo hi" });
 * if (text !== "hi\nexit code 0" || details.exitCode !== 0) throw new Error(`unexpected: ${text}`);
 * ```
 */
export function createTools(runtime: Runtime, options: ToolsOptions = {}): ToolSuite {
  const suite = suiteOf(runtime, options);
  const exclusive = suite.concurrency === "exclusive" ? oneAtATime() : undefined;
  const tools = suite.kinds.map((kind): Tool => {
    const name = suite.names[kind];
    const { schema, run } = TOOLS[kind](suite);
    return {
      name,
      description: descriptionOf(suite, kind),
      schema: toPortableSchema(schema, options.lenient === true),
      run: async (input, context = {}) => {
        checkFields(callContext, context, `Cannot call "${name}" with`);
        // An expression that is none is a mistake of the program, and not of the model.
        await suite.filters();
        const call = () => answered(name, () => run(input, context));
        return await (kind === "run" && exclusive ? exclusive(call, context.signal) : call());
      },
    };
  });
  return {
    tools,
    suite,
    [Symbol.iterator]: () => tools[Symbol.iterator](),
    call: async (name, input, context) => {
      const tool = tools.find((tool) => tool.name === name);
      if (tool !== undefined) return await tool.run(input, context);
      const known = tools.map(({ name }) => name).join(", ");
      return answered(name, () => {
        throw invalidInput(`there is no tool "${name}"; there are ${known}`);
      });
    },
    promote: (id) => {
      const { tasks, sessions } = runtime;
      const taskId = tasks.current.byId.has(id) ? id : sessions.current.byId.get(id)?.current;
      if (taskId === undefined) return suite.foreign?.promote(id) ?? false;
      runtime.promote(taskId, "user");
      return true;
    },
  };
}

const callContext = v.strictObject(contextFields);

const TOOLS: Readonly<Record<ToolKind, (suite: Suite) => RunnableTool>> = {
  run: runTool,
  read: readTool,
  write: writeTool,
  stop: stopTool,
  list: listTool,
};

/** An aborted call does not wait for its turn: it answers that nothing was run. */
function oneAtATime(): <T>(call: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (call, signal) => {
    const turn = firstValueFrom(merge(last, abortOf(signal))).then(call);
    last = Promise.allSettled([last, turn]).then(() => {});
    return turn;
  };
}
