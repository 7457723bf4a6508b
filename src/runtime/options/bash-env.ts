import type { ShellState } from "../../event/command.ts";
import { buildEnvironment, type Variables } from "../../env/build-environment.ts";
import type { EnvPolicy } from "../../env/env-policy.ts";
import { messageOf } from "../../platform/failure.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import { versionOf } from "../../platform/file/small-file.ts";
import { outputOf } from "../../platform/process/output-of.ts";
import { bash } from "../../shell/bash.ts";
import { readBashReport, REPORT } from "../../shell/persistent/bash/bash-report.ts";
import { OptionError } from "./option-error.ts";

/** A file that each bash runs first, and what it defines. */
export interface BashEnv {
  readonly path: string;
  /** What it brings to every line; once it was changed, every line is doubted. */
  readonly state: () => ShellState;
}

/** What tries the file. */
export interface BashEnvParts {
  /** The program of bash. */
  readonly file: string;
  readonly cwd: string;
  /** The host's own variables. */
  readonly base: Variables;
  readonly policy: EnvPolicy;
}

/** How long the file may take, in milliseconds. */
const LIMIT_MS = 5_000;
/** Stands before and after the report: the file prints what it likes. */
const MARK = "\u0001shellflow\u0001";
const SCRIPT = `\\builtin printf %s '${MARK}'; ${REPORT}; \\builtin printf %s '${MARK}'`;

/**
 * Run a file as `BASH_ENV` once, to find what it defines.
 *
 * @throws {OptionError} When there is no such file, or bash cannot run it within five seconds.
 */
export async function bashEnvOf(
  named: string,
  { file, cwd, base, policy }: BashEnvParts,
): Promise<BashEnv> {
  const path = absolutePath(cwd, named);
  const cannot = (why: string) => new OptionError("bashEnv", named, why);
  const version = versionOf(path);
  if (version === undefined) throw cannot("there is no such file");
  const { dangerousVariables: dangerous } = bash;
  const environment = buildEnvironment({ base, policy, dangerous });
  if (environment.type === "refused") throw cannot(environment.reason);
  const fields = async (more: Variables): Promise<readonly string[]> => {
    const env = { ...environment.values, ...more };
    const output = await outputOf(file, bash.run(SCRIPT), { cwd, env, limitMs: LIMIT_MS });
    const [, report] = output.split(MARK);
    if (report === undefined) throw new Error("bash does not get to the end of it");
    return report.split("\0");
  };
  try {
    const { state } = readBashReport(await fields({ BASH_ENV: path }), await fields({}));
    // Other variables are the choice of the host, as those of `env.set`.
    const variables = state.variables?.filter((name) =>
      name !== "BASH_ENV" && (name === "IFS" || dangerous.includes(name))
    );
    const known: ShellState = { ...state, variables: variables ?? [] };
    const doubted = {
      ...known,
      modifiers: [...known.modifiers ?? [], `the file "${path}", which was changed,`],
    };
    return { path, state: () => versionOf(path) === version ? known : doubted };
  } catch (cause) {
    throw cannot(messageOf(cause));
  }
}
