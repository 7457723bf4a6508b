import type { ShellState } from "../../event/command.ts";
import { buildEnvironment, type Variables } from "../../env/build-environment.ts";
import type { EnvPolicy } from "../../env/env-policy.ts";
import type { SnapshotFailed, SnapshotTaken } from "../../event/env.ts";
import { markedOutput, OUTPUT_MARK } from "../../platform/environment/marked-output.ts";
import { messageOf } from "../../platform/failure.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import { versionOf } from "../../platform/file/regular-file.ts";
import type { BashEnv } from "../../session/admission.ts";
import { bash } from "../../shell/bash.ts";
import { shownValue } from "../../value/shown.ts";
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
 * The file that is given, or once it is there where it was promised: no command waits for that.
 *
 * @throws {TypeError} When a file that is given cannot be used.
 */
export async function bashEnvOf(
  given: string | Promise<string>,
  parts: BashEnvParts,
  report: (event: SnapshotTaken | SnapshotFailed) => void,
): Promise<() => BashEnv | undefined> {
  if (typeof given === "string") return await bashEnvAt(given, parts);
  let now: (() => BashEnv) | undefined;
  given.then((path) => {
    if (typeof path === "string") return bashEnvAt(path, parts);
    throw new TypeError(`Cannot take what bashEnv promises, ${shownValue(path)}: it is no path`);
  }).then((taken) => {
    report({ type: "env.snapshotTaken", ...taken() });
    now = taken;
  }).catch((cause) => report({ type: "env.snapshotFailed", reason: messageOf(cause) }));
  return () => now?.();
}

/**
 * Run a file as `BASH_ENV` once, to find what it defines.
 *
 * @returns What it brings to every line; once it was changed, every line is doubted.
 * @throws {TypeError} When there is no such file, bash would expand its name, or bash cannot run it within five seconds.
 */
async function bashEnvAt(
  given: string,
  { file, cwd, base, policy }: BashEnvParts,
): Promise<() => BashEnv> {
  const path = absolutePath(cwd, given);
  const cannot = (why: string) =>
    new TypeError(`Cannot take what bashEnv "${path}" defines: ${why}`);
  // Bash takes the name of the file for text in double quotes, and runs what is in that.
  if (/[$`"\\]/.test(path)) throw cannot("bash would expand its name");
  const version = versionOf(path);
  if (version === undefined) throw cannot("there is no regular file of this name");
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
    return () => ({ path, state: versionOf(path) === version ? known : doubted });
  } catch (cause) {
    throw cannot(messageOf(cause));
  }
}
