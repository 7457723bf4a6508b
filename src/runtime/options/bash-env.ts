import type { ShellState } from "../../event/command.ts";
import { buildEnvironment, type Variables } from "../../env/build-environment.ts";
import type { EnvPolicy } from "../../env/env-policy.ts";
import { markedOutput, OUTPUT_MARK } from "../../platform/environment/marked-output.ts";
import { messageOf } from "../../platform/failure.ts";
import { versionOf } from "../../platform/file/regular-file.ts";
import { bash } from "../../shell/bash.ts";
import { readBashReport, REPORT } from "../../shell/persistent/bash/bash-report.ts";

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
const MARK = `\\builtin printf %s '${OUTPUT_MARK}'`;
const SCRIPT = `${MARK}; ${REPORT}; ${MARK}`;

/**
 * Run a file as `BASH_ENV` once, to find what it defines.
 *
 * @returns What it brings to every line; once it was changed, every line is doubted.
 * @throws {TypeError} When there is no such file, bash would expand its name, or bash cannot run it within five seconds.
 */
export async function bashEnvState(
  path: string,
  { file, cwd, base, policy }: BashEnvParts,
): Promise<() => ShellState> {
  const cannot = (why: string) =>
    new TypeError(`Cannot take what bashEnv "${path}" defines: ${why}`);
  // Bash takes the name of the file for text in double quotes, and runs what is in that.
  if (/[$`"\\]/.test(path)) throw cannot("bash would expand its name");
  const version = versionOf(path);
  if (version === undefined) throw cannot("there is no such file");
  const { dangerousVariables: dangerous } = bash;
  const environment = buildEnvironment({ base, policy, dangerous });
  if (environment.type === "refused") throw cannot(environment.reason);
  const report = async (more: Variables) => {
    const env = { ...environment.values, ...more };
    const words = [file, ...bash.run(SCRIPT)];
    return (await markedOutput(words, { cwd, env, timeoutMs: LIMIT_MS })).split("\0");
  };
  try {
    const { state } = readBashReport(await report({ BASH_ENV: path }), await report({}));
    // Other variables are the choice of the host, as those of `env.set`.
    const variables = state.variables?.filter((name) =>
      name === "IFS" || (name !== "BASH_ENV" && dangerous.includes(name))
    );
    const known: ShellState = { ...state, variables: variables ?? [] };
    const doubt = `the file "${path}", which was changed,`;
    const doubted = { ...known, modifiers: [...known.modifiers ?? [], doubt] };
    return () => versionOf(path) === version ? known : doubted;
  } catch (cause) {
    throw cannot(messageOf(cause));
  }
}
