import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { sized } from "../sized.ts";

/** The files that bash reads in each line, in an empty directory. */
export function filesRead(all: readonly string[]): readonly (readonly string[])[] {
  const directory = mkdtempSync(join(tmpdir(), "files-read-"));
  const quoted = all.map((line) => `'${line.replaceAll("'", `'\\''`)}'`).join(" ");
  const driver = `
    cat() { if [ $# -gt 0 ]; then printf 'R%s\\0' "$1" >&3; else local l; mapfile -t l; printf '%s\\n' "\${l[@]}"; fi; }
    grep() { return 2; }
    basename() { echo q; }
    export PATH=
    for line in ${quoted}; do ( eval "$line" ) 3>&1 >/dev/null 2>&1 </dev/null; printf 'E\\0'; done`;
  const { stdout } = spawnSync("bash", ["--noprofile", "--norc"], {
    input: driver,
    maxBuffer: 1e8,
    timeout: sized(60_000, 600_000),
    cwd: directory,
    env: { PATH: process.env["PATH"] },
  });
  rmSync(directory, { recursive: true });
  const read: string[][] = [[]];
  for (const text of stdout.toString().split("\0").slice(0, -1)) {
    if (text === "E") read.push([]);
    else read.at(-1)?.push(`/ws/${text.slice(1).replace(/\/+/g, "/")}`);
  }
  return read.slice(0, -1);
}
