import { checkedLine } from "../../src/event/log/segment.ts";

/** The lines of a log that a test has changed, with checks that are right again. */
export function recheck(lines: string): string {
  return lines.split("\n").filter((line) => line !== "").map((line) => {
    const { check: _, ...rest } = JSON.parse(line);
    return checkedLine(rest);
  }).join("");
}
