import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What one script came to. */
export interface Ran {
  readonly output: string;
  readonly code: number | null;
  readonly cwd: string;
}

/** What a sequence of scripts came to. */
export interface Sequence {
  /** Up to the one that ended the shell, if one did. */
  readonly ran: readonly Ran[];
  /** What the shell still knew when it ended. */
  readonly known: string;
}

/** Shows some of what a shell knows. */
export const PROBE =
  "builtin declare -p va vb vc aa ab 2>/dev/null || :; builtin pwd; builtin umask";

/** What would show itself in the probe, or end the shell. */
export const CALM = "{ builtin set +xeu; builtin trap - DEBUG ERR; } 2>/dev/null";

/**
 * Run scripts in one bash, which evaluates one after the other with its output in a file of its
 * own, until one of them ends it. `$?` is that of the one before.
 */
export async function reference(
  scripts: readonly string[],
  { home, notes, env }: {
    readonly home: string;
    /** Where the files of this run go. */
    readonly notes: string;
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<Sequence> {
  const at = (name: string) => join(notes, name);
  // All of it on one line, as a message tells on which line of it something went wrong.
  const each = scripts.map((script, i) => {
    writeFileSync(at(`${i}.sh`), script);
    return `mapfile -d '' -t __ref <${
      at(`${i}.sh`)
    }; if [[ $- != *e* ]]; then (exit "$__last"); fi; ` +
      `builtin eval -- "\${__ref[0]}" </dev/null >${at(`${i}.out`)} 2>&1; __last=$?; ` +
      `builtin printf '%s\\0%s\\0' "$__last" "$PWD" >>${at("results")}`;
  });
  const atExit = `${CALM}; { ${PROBE}; } >${at("known")}; ` +
    `builtin printf '%s\\0' "$PWD" >${at("cwd")}`;
  const driver = `__last=0; trap '${atExit}' EXIT; ${each.join("; ")}`;
  const bash = spawn("/bin/bash", ["--norc", "--noprofile", "-c", driver, "bash"], {
    cwd: home,
    env: { ...env },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const [status]: (number | null)[] = await once(bash, "exit");
  const results = existsSync(at("results")) ? readFileSync(at("results"), "utf8").split("\0") : [];
  const ran: Ran[] = [];
  for (let i = 0; i < scripts.length; i++) {
    const output = existsSync(at(`${i}.out`)) ? textOf(at(`${i}.out`)) : undefined;
    if (output === undefined) break;
    const code = results[2 * i];
    const cwd = results[2 * i + 1];
    if (code === undefined || cwd === undefined || code === "") {
      ran.push({ output, code: status ?? null, cwd: readFileSync(at("cwd"), "utf8").slice(0, -1) });
      break;
    }
    ran.push({ output, code: Number(code), cwd });
  }
  return { ran, known: readFileSync(at("known"), "utf8") };
}

/** As `drive` shows the output of a command: what is left of a character that was cut is not shown. */
function textOf(path: string): string {
  return new TextDecoder().decode(readFileSync(path), { stream: true });
}
