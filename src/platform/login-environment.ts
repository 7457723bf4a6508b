import { spawn } from "node:child_process";
import { homedir, userInfo } from "node:os";
import process from "node:process";
import { environment } from "./environment.ts";
import { attempt, messageOf } from "./failure.ts";

/** How the variables of a login shell are taken. */
export interface LoginEnvironmentOptions {
  /** The program of the shell, absolute; default `$SHELL`, else the shell of the user. */
  readonly shell?: string;
  /** The variables that the shell starts with; default those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long it may take, in milliseconds; default 5 000. */
  readonly timeoutMs?: number;
}

/** Stands before and after the variables: files of the user print what they like. */
const MARK = "\u0001shellflow\u0001";
/** For bash, zsh, fish and the shells of POSIX. */
const SCRIPT = `printf '%s' '${MARK}'; command env -0; printf '%s' '${MARK}'`;
/** Of the shell itself, and not of what it was told. */
const OWN = /^(?:_|PWD|OLDPWD|SHLVL|BASH_FUNC_.*)$/;
/** More than any environment has. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * The variables that a terminal of this user has: those of a login shell that has read the user's own
 * files. A program that a desktop or a service has started lacks them, `PATH` before all.
 *
 * Aliases and functions are not taken: with them a line would mean something else than what is judged.
 *
 * @throws {Error} When the shell cannot start, says nothing, or takes too long; it is ended then.
 */
export function loginEnvironment(
  { shell, env = environment(), timeoutMs = 5_000 }: LoginEnvironmentOptions = {},
): Promise<Readonly<Record<string, string>>> {
  const program = shell ?? env["SHELL"] ?? attempt(() => userInfo().shell) ?? "/bin/sh";
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["-lic", SCRIPT], {
      cwd: homedir(),
      env: { ...env },
      // A session of its own has no terminal that its files could ask, or stop for.
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    let output = "";
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      child.stdout.destroy();
      // What the files of the user started in the background goes with it.
      if (child.pid !== undefined) attempt(() => process.kill(-(child.pid ?? 0), "SIGKILL"));
      settle();
    };
    const fail = (why: string) =>
      finish(() => reject(new Error(`Cannot take the environment of "${program}": ${why}`)));
    const timer = setTimeout(() => fail(`it gave none within ${timeoutMs / 1000} s`), timeoutMs);
    child.once("error", (cause) => fail(messageOf(cause)));
    child.once("close", (code) => fail(`it ended without it (code ${code})`));
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text: string) => {
      output += text;
      const [, between, ...rest] = output.split(MARK);
      if (between !== undefined && rest.length > 0) finish(() => resolve(variables(between)));
      else if (output.length > MOST_BYTES) fail("it prints without end");
    });
  });
}

/** Read what `env -0` prints. */
function variables(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of text.split("\0")) {
    const at = entry.indexOf("=");
    const name = entry.slice(0, at);
    if (at > 0 && !OWN.test(name)) found[name] = entry.slice(at + 1);
  }
  return found;
}
