import type { LeftVariables } from "../../event/command.ts";
import { EnvValues } from "../../event/env-values.ts";
import type { Variables } from "../../env/build-environment.ts";
import { readEnvFile } from "../../env/env-file.ts";
import { variableConcerns } from "../../permission/concerns/variables.ts";
import { messageOf } from "../../platform/failure.ts";
import { checkDirectory } from "../../platform/file/directories.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import { claimPrivateDirectory } from "../../platform/file/private-directory.ts";
import { readSmallFile } from "../../platform/file/small-file.ts";
import { removeAtExit, uniqueTemporaryPath } from "../../platform/file/temporary.ts";
import { READONLY } from "../../shell/bash.ts";
import { isLoopVariable } from "../../shell/persistent/persistent-dialect.ts";
import { OptionError } from "./option-error.ts";

/** More than variables take; what is larger is not read. */
const MOST_BYTES = 32 * 1024;

/** The file through which commands leave variables for later ones. */
export interface EnvFile {
  /** The variable that has its path. */
  readonly variables: Variables;
  /** The same, where every shell reads the path as one word. */
  readonly known?: Variables;
  /** The directory of the runtime's own file, which counts as inside the workspace. */
  readonly inside?: string;
  /** Make the directory of the runtime's own file. */
  open(): void;
  /** What it holds now; `undefined`: nothing. */
  read(): LeftVariables | undefined;
  /** Delete it, if it is to end with the runtime. */
  close(): void;
}

/**
 * Find the place of the env file.
 *
 * @throws {OptionError} When there can be none.
 */
export function envFileOf(
  envFile: string | true,
  { cwd, log, sandbox }: {
    readonly cwd: string;
    readonly log: string | undefined;
    readonly sandbox: boolean;
  },
): EnvFile {
  const cannot = (why: string) => new OptionError("envFile", envFile, why);
  if (typeof envFile === "string") {
    const path = absolutePath(cwd, envFile);
    const problem = checkDirectory(absolutePath(path, ".."));
    if (problem !== undefined) throw cannot(`of its directory, ${problem}`);
    if (checkDirectory(path) === undefined) throw cannot("it is a directory");
    return { ...at(path), open: () => {}, close: () => {} };
  }
  if (sandbox && log !== undefined) {
    throw cannot("a sandbox hides the directory of the log; name a file in the workspace");
  }
  const { path: inside, remove } = log === undefined
    ? uniqueTemporaryPath("shellflow-env")
    : { path: absolutePath(log, "env"), remove: () => {} };
  const path = absolutePath(inside, "variables");
  let forget = () => {};
  return {
    ...at(path),
    inside,
    open: () => {
      claimPrivateDirectory(inside);
      if (log === undefined) forget = removeAtExit(inside);
    },
    close: () => {
      forget();
      remove();
    },
  };
}

function at(path: string): Pick<EnvFile, "variables" | "known" | "read"> {
  const variables = { SHELLFLOW_ENV_FILE: path };
  // What a shell would split or expand stays unknown.
  const isWord = /^[\w./@%+-]+$/.test(path);
  return { variables, ...(isWord && { known: variables }), read: reading(path) };
}

/** Reads the file each time, and reports what is not taken of it once until that changes. */
function reading(path: string): EnvFile["read"] {
  let lastText = "";
  let env = new EnvValues({});
  return () => {
    let text: string;
    let failed: string | undefined;
    try {
      text = readSmallFile(path, MOST_BYTES) ?? "";
    } catch (cause) {
      text = failed = `Cannot read "${path}": ${messageOf(cause)}`;
    }
    const isNew = text !== lastText;
    lastText = text;
    if (!isNew) return env.names.length === 0 ? undefined : { env };
    const { variables, refused } = failed === undefined
      ? readEnvFile(text, whyRefused)
      : { variables: {}, refused: [failed] };
    env = new EnvValues(variables);
    if (env.names.length + refused.length === 0) return undefined;
    return { env, ...(refused.length > 0 && { refused }) };
  };
}

/** What would be a question in a line is not taken from the file, and the runtime's own names are not, either. */
function whyRefused(name: string, value: string): string | undefined {
  if (READONLY.test(name)) return `the variable "${name}" is read-only in bash`;
  if (name.startsWith("SHELLFLOW_") || isLoopVariable(name)) {
    return `the variable "${name}" is one of the runtime's own`;
  }
  const nothing = {
    certainty: "complete",
    commands: [],
    reads: [],
    writes: [],
    dynamic: false,
  } as const;
  const byName = variableConcerns(nothing, { given: [name], every: false })[0]?.reason;
  if (byName !== undefined) return byName;
  const sets = [{ name, value, span: { start: 0, end: 0 } }];
  return variableConcerns({ ...nothing, sets }, { given: [], every: false }).length > 0
    ? `the variable "${name}" names what programs run or take settings from`
    : undefined;
}
