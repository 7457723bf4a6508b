import { execFile } from "node:child_process";
import process from "node:process";
import { MARK } from "../process/mark.ts";

/** What a terminal does with the characters that are typed. */
export interface LineSettings {
  /** It shows them; programs that ask for a password switch that off. */
  readonly echo: boolean;
  /** It hands them over by lines; editors, pagers and line editors switch that off to get each key. */
  readonly canonical: boolean;
}

/** Ask `stty` for the settings of a terminal; `undefined` when they cannot be had. */
export function lineSettings(device: string): Promise<LineSettings | undefined> {
  return new Promise((resolve) => {
    // With an empty mark, it is no process of the command whose terminal it opens.
    const env = { ...process.env, LC_ALL: "C", [MARK]: "" };
    const options = { timeout: 2_000, env };
    execFile("stty", ["-a", "-F", device], options, (error, output) => {
      if (error !== null) return resolve(undefined);
      const words = new Set(output.split(/[\s;]+/));
      resolve({ echo: words.has("echo"), canonical: words.has("icanon") });
    });
  });
}
