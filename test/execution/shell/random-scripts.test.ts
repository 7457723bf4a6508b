import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { cleanUp } from "../../clean-up.ts";
import { CALM, PROBE, type Ran, reference } from "./reference.ts";
import { randomFrom, scripts } from "./scripts.ts";
import { sized } from "../../sized.ts";
import { seat, startShells } from "./shells.ts";

/** How many scripts are compared; some shells end before they have had all of theirs. */
const SCRIPTS = sized(30, 2_000);
/** How many shells at once. */
const LANES = 3;
const LENGTH = 20;
const SEED = Number(process.env["SHELLFLOW_SEED"] ?? 20_261_122);

const scratch = mkdtempSync(join(tmpdir(), "shellflow-random-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
const { executor } = startShells();
cleanUp(() => executor.close());

/** Make a home with something in it, in place of what was there. */
function settle(home: string): void {
  rmSync(home, { recursive: true, force: true });
  for (const name of ["one/deep", "two", "sp ace"]) {
    mkdirSync(join(home, name), { recursive: true });
  }
  symlinkSync("one", join(home, "link"));
  writeFileSync(join(home, "f1"), "of f1\n");
}

/** How deep a line that `set -x` shows stands in evaluations is of whoever evaluates it, not of the script. */
const traced = (output: string) => output.replaceAll(/^\++ /gm, "+ ");

/** What the next shell has of all that a probe shows: what was exported, and the directory. */
const lasting = (known: string) =>
  known.split("\n").filter((line) => /^(declare -\w*x|\/)/.test(line)).join("\n");

async function compare(seed: number): Promise<number> {
  const all = scripts(randomFrom(seed), LENGTH);
  const home = join(scratch, `home-${seed}`);
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: home };
  const notes = join(scratch, `notes-${seed}`);
  mkdirSync(notes);
  settle(home);
  const expected = await reference(all, { home, notes, env });
  settle(home);
  const shell = seat(executor, home, env);
  let replaced = false;
  for (const [i, ran] of expected.ran.entries()) {
    const wanted: Ran = { ...ran, output: traced(ran.output) };
    const it = await shell.done(all[i] ?? "");
    replaced ||= it.exited.shell?.reset !== undefined;
    const got: Ran = {
      output: traced(it.text),
      code: it.code ?? null,
      cwd: it.exited.shell?.cwd ?? "",
    };
    assert.deepEqual(got, wanted, `seed ${seed}, after\n${all.slice(0, i + 1).join("\n---\n")}`);
  }
  await shell.done(CALM);
  const { text } = await shell.done(PROBE);
  const shown = (known: string) => replaced ? lasting(known) : known;
  assert.equal(
    shown(text),
    shown(expected.known),
    `seed ${seed}, in the end of\n${all.join("\n---\n")}`,
  );
  executor.release?.(shell.id, "closed");
  return expected.ran.length;
}

describe("random scripts in the shell of a session", () => {
  it(`do what they do in one bash of their own, from seed ${SEED}`, async (test) => {
    let ran = 0;
    let shells = 0;
    const lane = async () => {
      while (ran < SCRIPTS) {
        const more = await compare(SEED + shells++);
        ran += more;
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    test.diagnostic(`${ran} scripts in ${shells} shells`);
  });
});
