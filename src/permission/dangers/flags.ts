import { hasFlag } from "../flags.ts";
import type { Danger, Inspected } from "./danger.ts";
import { gitDangers } from "./git.ts";
import { RUNS } from "./program-options.ts";
import { awkRuns, sedRuns } from "./scripts.ts";

/** Options and little languages that make a program run something else. */
export function flagDangers({ name, args }: Inspected): readonly Danger[] {
  const dangers: Danger[] = [];
  const danger = (id: string, reason: string) => dangers.push({ name: id, reason });
  const runs = RUNS.get(name);
  if (runs !== undefined && hasFlag(args, runs)) {
    danger("runs-program", `an option makes "${name}" run another program`);
  }
  if (
    /^(?:sort|wc|du|find)$/.test(name) && hasFlag(args, { long: ["--files0-from", "-files0-from"] })
  ) {
    danger("list-file", `"${name}" takes paths from a file`);
  }
  if (name === "xargs" && hasFlag(args, { long: ["--arg-file"], short: "a" })) {
    danger("list-file", '"xargs" takes words from a file');
  }
  if (name === "git") dangers.push(...gitDangers(args));
  if (name === "sed" && sedRuns(args)) danger("sed-command", '"sed" runs or writes by its script');
  if (/^[gmn]?awk$/.test(name) && awkRuns(args)) {
    danger("awk-command", `"${name}" runs or writes by its program`);
  }
  return dangers;
}
