import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { cleanUp } from "../../clean-up.ts";
import { procTable } from "../../../src/platform/process/table/proc-table.ts";
import { children } from "../world.ts";
import { type Came, environment, type Fate, type Ground, runLine } from "./confusion/cell.ts";
import { endings } from "./confusion/endings.ts";
import { entanglements } from "./confusion/entanglements.ts";
import type { Cell } from "./confusion/row.ts";
import { SHELLS, TRIED, type Tried, type TriedShell } from "./confusion/tried-shells.ts";
import { FULL, thinned } from "../../sized.ts";
import { startShells } from "./shells.ts";
import { steeredClock } from "../../steered-clock.ts";
import { NEVER_MS, until } from "../../until.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-confusion-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));

/** Shells by a time of their own; a slow one leaves them the time to obey. */
function ground(rate: number): Ground {
  const clock = steeredClock(rate);
  const { executor } = startShells({ clock, graceMs: 100 * rate });
  cleanUp(() => executor.close());
  return { clock, executor, neverMs: NEVER_MS * rate };
}

const shared = ground(0.05);
const groundOf = ({ meanwhile, stubborn }: Cell) => {
  if (stubborn) return ground(1);
  return meanwhile === "timeout" ? ground(0.05) : shared;
};

/** What the lines after it show, by what became of the shell. */
const NEXT: Readonly<Record<Fate, string>> = {
  kept: "next kept sent inner f\n0 1",
  replaced: "next  sent inner \n0 1",
};

let homes = 0;

function home(): string {
  const path = join(scratch, `home-${++homes}`);
  mkdirSync(join(path, "inner"), { recursive: true });
  return path;
}

/** What a fresh shell makes of a line: the same output, but for the names by which it speaks of itself. */
function fresh({ file, args }: TriedShell, line: string): Pick<Came, "output" | "end"> {
  const cwd = home();
  const { stdout, status, signal } = spawnSync(
    "/bin/sh",
    ["-c", 'exec "$0" "$@" 2>&1', file, ...args(line)],
    { cwd: join(cwd, "inner"), env: { ...environment(cwd), sent: "sent" }, encoding: "utf8" },
  );
  return { output: stdout, end: signal ?? status ?? "" };
}

/** A message begins with the name of the shell, or of the builtin that evaluates the line. */
const PREFIX: Readonly<Record<Tried, RegExp>> = {
  bash: /^(?:\S*\/)?bash: (?:(?:eval|-c): )?line \d+: /gm,
  zsh: /^(?:\S*\/zsh|zsh|\(eval\)):(?:\d+:)? ?/gm,
  dash: /^(?:\S*\/)?(?:da)?sh: \d+: (?:eval: )?/gm,
};

async function come(tried: Tried, cell: Cell): Promise<[unknown, unknown]> {
  const shell = SHELLS.get(tried);
  if (shell === undefined) return ["not on this machine", "not on this machine"];
  const { line, output, end, fate = "kept", next = NEXT[fate] } = cell;
  const plain = (text: string) => text.replace(PREFIX[tried], "");
  const cwd = home();
  const came = await runLine(groundOf(cell), shell, line, { ...cell, home: cwd });
  const own = output === undefined || end === undefined ? fresh(shell, line) : undefined;
  const shown = { ...came, output: plain(came.output) };
  const wanted = output ?? plain(own?.output ?? "");
  const asWanted = wanted instanceof RegExp
    ? wanted.test(shown.output) ? shown.output : String(wanted)
    : wanted;
  return [shown, { output: asWanted, end: end ?? own?.end, fate, next }];
}

describe("a shell that lives on cannot be confused by", () => {
  // The lines confuse the shells, not the runtime that reads from them.
  const rows = thinned([...endings, ...entanglements], 8);
  for (const [i, row] of rows.entries()) {
    // Bash tries every row, and the rarer shells a quarter of them.
    const tried = FULL || i % 4 === 0 || typeof row.bash === "string" ? TRIED : ["bash"] as const;
    const absent = tried.flatMap((tried) => {
      const cell = row[tried];
      if (typeof cell === "string") return [`${tried}: ${cell}`];
      return SHELLS.has(tried) ? [] : [`${tried}: not on this machine`];
    });
    it(absent.length === 0 ? row.name : `${row.name} (${absent.join("; ")})`, async () => {
      const cells = await Promise.all(tried.map(async (tried) => {
        const cell = row[tried];
        const [came, wanted] = typeof cell === "string" ? [cell, cell] : await come(tried, cell);
        return [[tried, came], [tried, wanted]] as const;
      }));
      assert.deepEqual(
        Object.fromEntries(cells.map(([came]) => came)),
        Object.fromEntries(cells.map(([, wanted]) => wanted)),
      );
    });
  }

  it("and none is left when their executor has closed", async () => {
    await shared.executor.close();
    const table = procTable();
    await until(() => !children().some(({ pid }) => table.commandLine(pid).includes("__sf_")));
  });
});
