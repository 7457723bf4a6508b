import * as v from "valibot";
import { defined } from "../value/defined.ts";
import { shownValue } from "../value/shown.ts";
import { randomIds } from "../platform/ids.ts";
import { checkFields } from "../value/check-fields.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { lazy } from "../platform/lazy.ts";
import { ToolFiles } from "./artifact/tool-files.ts";
import { MAX_EXPRESSION } from "../text/search/expression.ts";
import { FILTERS } from "./filter/built-in.ts";
import { compiledFilters } from "./filter/output-filter.ts";
import { type Suite, TOOL_KINDS, toolNames, type ToolsOptions } from "./configuration.ts";

const seconds = v.pipe(v.number(), v.finite("it must be finite"), v.minValue(0));
const count = v.pipe(v.number(), v.integer("it must be a whole number"), v.minValue(0));
const amount = v.pipe(count, v.minValue(1));
const text = v.pipe(v.string(), v.nonEmpty("it is empty"));

/** What the services of models take. */
const name = v.pipe(
  v.string(),
  v.regex(/^[\w-]{1,64}$/, "it must have 1 to 64 letters, digits, _ and - only"),
);

const scheme = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9+.-]{0,63}$/, "it is no scheme in lower case, such as memo"),
  v.notValues(["artifact", "local"], "the tools resolve it"),
);

const expression = v.pipe(text, v.maxLength(MAX_EXPRESSION));

const filter = v.strictObject({
  programs: text,
  when: v.optional(expression),
  rules: v.array(v.strictObject({
    what: text,
    lines: expression,
    more: v.optional(expression),
    keep: v.optional(count),
    heads: v.optional(v.boolean()),
  })),
});

const schema = v.strictObject(
  {
    family: v.optional(v.picklist(["bash", "powershell"]), "bash"),
    names: v.optional(v.partial(v.strictObject(v.entriesFromList(TOOL_KINDS, name)))),
    tools: v.optional(v.array(v.picklist(TOOL_KINDS)), [...TOOL_KINDS]),
    owner: v.optional(text, "agent"),
    initialWaitSeconds: v.optional(seconds, 30),
    maxWaitSeconds: v.optional(seconds, 600),
    timeoutSeconds: v.optional(seconds),
    maxTimeoutSeconds: v.optional(seconds, 3_600),
    background: v.optional(v.boolean(), true),
    detach: v.optional(v.boolean(), true),
    autoBackgroundSeconds: v.optional(seconds, 0),
    concurrency: v.optional(v.picklist(["shared", "exclusive"]), "shared"),
    onAbort: v.optional(v.picklist(["background", "stop"]), "background"),
    nonZeroIsError: v.optional(v.boolean(), true),
    maxOutputChars: v.optional(amount, 30_000),
    maxOutputLines: v.optional(amount, 500),
    shorten: v.optional(v.boolean(), true),
    filters: v.optional(v.array(filter), []),
    notices: v.optional(v.boolean(), true),
    steering: v.optional(v.looseObject({ subscribe: v.function() })),
    foreign: v.optional(v.looseObject({ list: v.function(), promote: v.function() })),
    resolvers: v.optional(v.record(scheme, v.function())),
    lenient: v.optional(v.boolean(), false),
    ids: v.optional(v.looseObject({ next: v.function() })),
    keepShells: v.optional(v.boolean(), true),
    directory: v.optional(text),
  } satisfies Record<keyof ToolsOptions, v.GenericSchema>,
);

const anyRuntime = v.object({ capabilities: v.object({}) });

/** Check how tools are to work, but for expressions: their engine is loaded with the first call. */
export function checkToolsOptions(options: ToolsOptions): void {
  checkFields(schema, options, CANNOT);
}

const CANNOT = "Cannot make tools with";

/** What the tools of a runtime share: their options with every default filled in. */
export function suiteOf(runtime: Runtime, options: ToolsOptions): Suite {
  if (!v.is(anyRuntime, runtime)) {
    throw new TypeError(
      `Cannot make tools for ${shownValue(runtime)}: it is no runtime; await createRuntime()`,
    );
  }
  const { tools, names: own, keepShells, timeoutSeconds, maxTimeoutSeconds, ...given } =
    checkFields(schema, options, CANNOT);
  const names = { ...toolNames(given.family), ...defined(own ?? {}) };
  if (new Set(Object.values(names)).size < TOOL_KINDS.length) {
    throw new TypeError(`${CANNOT} names ${shownValue(own)}: two tools have the same name`);
  }
  const filters = lazy(async () => [...await compiledFilters(given.filters), ...FILTERS]);
  const { input, terminal, persistent } = runtime.capabilities;
  return {
    ...given,
    timeoutSeconds: timeoutSeconds ?? Math.min(300, maxTimeoutSeconds),
    // A longer default is a longer limit: each command would begin with a note about it.
    maxTimeoutSeconds: Math.max(maxTimeoutSeconds, timeoutSeconds ?? 0),
    runtime,
    names,
    kinds: TOOL_KINDS.filter((kind) =>
      tools.includes(kind) && (kind !== "write" || input || terminal)
    ),
    capabilities: {
      ...runtime.capabilities,
      persistent: keepShells && persistent && given.family === "bash",
    },
    files: new ToolFiles(runtime, given.directory),
    filters: filters.load,
    // The parts that the caller brings, as they are.
    steering: options.steering,
    foreign: options.foreign,
    resolvers: options.resolvers ?? {},
    ids: options.ids ?? randomIds,
  };
}
