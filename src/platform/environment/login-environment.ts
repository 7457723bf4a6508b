import { spawn } from "node:child_process";
import { userInfo } from "node:os";
import process from "node:process";
import * as v from "valibot";
import { checkFields } from "../../value/check-fields.ts";
import { environment } from "./environment.ts";
import { checkDirectory } from "../file/directories.ts";
import { DEFAULT_PATH, findProgram } from "./find-program.ts";
import { attempt, messageOf } from "../failure.ts";

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

/** Stands before and after the variables: files of the user print what they like. */
const MARK = "\u0001shellflow\u0001";
/** Set while the files of the user are read, so that they can leave out what another shell needs. */
const SIGN = "SHELLFLOW_LOGIN_ENV";
/** For bash, zsh, fish and the shells of POSIX. */
const SCRIPT = `printf '%s' '${MARK}'; command env -0; printf '%s' '${MARK}'`;
/** Ends all that was started when this process has ended, as the last one that holds descriptor 3. */
const WATCHED = '{ read _; kill -9 -$$; } <&3 >/dev/null & exec 3<&- "$0" -lic "$1"';
/** Variables that a shell sets for itself. */
const OF_SHELL = /^(?:_|PWD|OLDPWD|SHLVL|BASH_FUNC_.*|SHELLFLOW_LOGIN_ENV)$/;
/** More than any environment has. */
const MAX_BYTES = 4 * 1024 * 1024;

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
  return await new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", WATCHED, file, SCRIPT], {
      cwd: checkDirectory(env["HOME"] ?? "") === undefined ? env["HOME"] : "/",
      env: { ...env, [SIGN]: "1" },
      // A session of its own has no terminal that the files could ask, or stop for.
      detached: true,
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
    const { pid, stdout, stdio: [, , , watched] } = child;
    let output = "";
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      stdout?.destroy();
      watched?.destroy();
      if (pid !== undefined) attempt(() => process.kill(-pid, "SIGKILL"));
      settle();
    };
    const fail = (why: string) => finish(() => reject(cannot(why)));
    const timer = setTimeout(() => fail(`it gave none within ${timeoutMs / 1000} s`), timeoutMs);
    child.once("error", (cause) => fail(messageOf(cause)));
    child.once("exit", (code) => {
      const ended = () => fail(`it ended without it (code ${code})`);
      // What it wrote last may still be on its way.
      if (stdout?.readableEnded) ended();
      else stdout?.once("end", ended);
    });
    stdout?.setEncoding("utf8");
    stdout?.on("data", (text: string) => {
      output += text;
      const [, between, ...rest] = output.split(MARK);
      if (between !== undefined && rest.length > 0) finish(() => resolve(variables(between)));
      else if (output.length > MAX_BYTES) fail("it prints without end");
    });
  });
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
