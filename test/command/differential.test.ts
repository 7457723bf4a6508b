import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { analyse } from "../../src/command/analyse.ts";
import { sized } from "../sized.ts";

const PIECES = [
  "pwn",
  "$(pwn)",
  "`pwn`",
  "'$(pwn)'",
  '"$(pwn)"',
  "echo",
  "cat",
  ":",
  "x=",
  "x=1",
  "a",
  " ",
  " ",
  " ",
  "\n",
  "\n",
  "\t",
  ";",
  "&&",
  "||",
  "|",
  "(",
  ")",
  "{ ",
  "; }",
  "$",
  "${x:-",
  "${x#",
  "${x/a/",
  "}",
  '"',
  "'",
  "\\",
  "\\\n",
  "\r",
  "<<E",
  "<<-E",
  "<<'E'",
  "\nE\n",
  "\nE",
  "E",
  "E ",
  "\tE",
  "$((",
  "))",
  "$[",
  "]",
  "<(",
  "[[ ",
  " ]]",
  "if ",
  "; then ",
  "; fi",
  "case a in a) ",
  ";; esac",
  "#",
  "$'",
  "time ",
  "! ",
  "f() ",
  "1",
  "=",
  "<<< ",
  "${",
  "@P}",
];

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Lines likely to be read differently: a frame that runs, with pieces put in. */
function lines(count: number, seed: number): string[] {
  const below = numbers(seed);
  const pick = () => PIECES[below(PIECES.length)] ?? "";
  const frames = [
    (body: string) => body,
    (body: string) => `cat <<E\n${body}\nE`,
    (body: string) => `cat <<E\n${body}`,
    (body: string) => `echo "${body}"`,
    (body: string) => `echo ${body}`,
    (body: string) => `echo \${x:-${body}}`,
    (body: string) => `echo "\${x:-${body}}"`,
    (body: string) => `x=${body}`,
    (body: string) => `: <<-E\n${body}\nE\npwn`,
  ];
  return Array.from({ length: count }, () => {
    const body = Array.from({ length: 1 + below(7) }, pick).join("");
    const frame = frames[below(frames.length)];
    const line = frame === undefined ? body : frame(body);
    return below(3) === 0 ? line : line.includes("pwn") ? line : `${line}\npwn`;
  });
}

describe("an analysis beside bash", () => {
  const bash = spawnSync("bash", ["--version"]).status === 0;
  it("misses no command that bash runs in a line that it calls complete", { skip: !bash }, () => {
    const directory = mkdtempSync(join(tmpdir(), "differential-"));
    try {
      const scripts = lines(
        sized(150, 5_000),
        Number(process.env["DIFFERENTIAL_SEED"] ?? 7),
      );
      // Only names that cannot do harm are found: PATH is empty, and each line runs in an empty directory.
      const driver = [
        "PATH=",
        "command_not_found_handle() { :; }",
        'pwn() { echo "$current" >> "$log"; }',
        "export -f pwn command_not_found_handle; export current log",
        'for current in "${!lines[@]}"; do',
        "  export current",
        '  ( cd "$directory/empty" && eval "${lines[current]}" ) </dev/null >/dev/null 2>&1',
        "done",
      ];
      const log = join(directory, "log");
      writeFileSync(log, "");
      const quoted = scripts.map((line) => `'${line.replaceAll("'", `'\\''`)}'`).join("\n");
      const source = [
        `directory='${directory}' log='${log}'`,
        'mkdir "$directory/empty"',
        `lines=(${quoted})`,
        ...driver,
      ].join("\n");
      const file = join(directory, "driver.sh");
      writeFileSync(file, source);
      spawnSync("bash", ["--noprofile", "--norc", file], { timeout: sized(60_000, 600_000) });
      const ran = new Set(
        readFileSync(log, "utf8").split("\n").filter((line) => line !== "").map(Number),
      );
      assert.ok(ran.size > scripts.length / 20, `only ${ran.size} lines ran anything`);
      const missed = scripts.filter((line, index) => {
        if (!ran.has(index)) return false;
        const { certainty, commands } = analyse(line, { cwd: "/ws" });
        return certainty === "complete" && !commands.some(({ argv }) => argv[0] === "pwn");
      });
      assert.deepEqual(missed, []);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
