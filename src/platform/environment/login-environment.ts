import { userInfo } from "node:os";
import * as v from "valibot";
import { checkFields } from "../../value/check-fields.ts";
import { environment } from "./environment.ts";
import { checkDirectory } from "../file/directories.ts";
import { DEFAULT_PATH, findProgram } from "./find-program.ts";
import { attempt, messageOf } from "../failure.ts";
import { markedOutput, OUTPUT_MARK, READING_FILES } from "./marked-output.ts";

/** How the variables of a login shell are taken. */
export interface LoginEnvironmentOptions {
  /** The program of the shell, absolute; default `$SHELL`, else the shell of the user. */
  readonly shell?: string;
  /** The variables that the shell starts with; default those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long it may take, in milliseconds; default 5 000. */
  readonly timeoutMs?: number;
}

const schema = v.strictObject({
  shell: v.exactOptional(v.string()),
  env: v.exactOptional(v.record(v.string(), v.string())),
  timeoutMs: v.exactOptional(v.pipe(v.number(), v.gtValue(0), v.ltValue(2 ** 31))),
});

/** For bash, zsh, fish and the shells of POSIX. */
const SCRIPT = `printf '%s' '${OUTPUT_MARK}'; command env -0; printf '%s' '${OUTPUT_MARK}'`;
/** Variables that a shell sets for itself, or Deno for a child that it starts. */
const OF_SHELL = /^(?:_|PWD|OLDPWD|SHLVL|BASH_FUNC_.*|SHELLFLOW_LOGIN_ENV|DENO_EXTRA_STDIO_FDS)$/;

/**
 * The variables that a terminal of this user has: those of a login shell that has read the user's own
 * files. A program that a desktop or a service has started lacks them, `PATH` before all.
 *
 * Aliases and functions are not taken: with them a line would mean something else than what is judged.
 *
 * @throws {TypeError} When an option cannot be used.
 * @throws {Error} When the shell cannot start, gives nothing, or takes too long; it is ended then.
 */
export async function loginEnvironment(
  options: LoginEnvironmentOptions = {},
): Promise<Readonly<Record<string, string>>> {
  checkFields(schema, options, "Cannot take the environment of a shell with");
  const { shell, env = environment(), timeoutMs = 5_000 } = options;
  const named = shell ?? (env["SHELL"] || attempt(() => userInfo().shell));
  const program = named || "/bin/sh";
  const cannot = (why: string) => new Error(`Cannot take the environment of "${program}": ${why}`);
  const file = findProgram(program, env["PATH"] ?? DEFAULT_PATH);
  if (file === undefined) throw cannot("there is no such program");
  try {
    return variables(
      await markedOutput([file, "-lic", SCRIPT], {
        cwd: checkDirectory(env["HOME"] ?? "") === undefined ? env["HOME"] ?? "/" : "/",
        env: { ...env, [READING_FILES]: "1" },
        timeoutMs,
      }),
    );
  } catch (cause) {
    throw cannot(messageOf(cause));
  }
}

/** Read what `env -0` prints. */
function variables(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of text.split("\0")) {
    const at = entry.indexOf("=");
    const name = entry.slice(0, at);
    if (at > 0 && !OF_SHELL.test(name)) found[name] = entry.slice(at + 1);
  }
  return found;
}
