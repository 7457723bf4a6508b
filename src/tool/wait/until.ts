import { messageOf } from "../../platform/failure.ts";
import { ShellError } from "../error/shell-error.ts";
import { type LineMatcher, lineMatcher } from "./line-match.ts";

/** What a wait is for. */
export type Until =
  /** The command runs, or waits behind another one. */
  | { readonly type: "start" }
  | { readonly type: "exit" }
  | { readonly type: "output" }
  | { readonly type: "input" }
  | { readonly type: "line"; readonly matches: LineMatcher };

/**
 * Read what a call waits for: `exit`, `output`, `input`, or a regular expression between slashes.
 *
 * @throws {ShellError} When it is none of these.
 */
export async function parseUntil(text: string): Promise<Until> {
  const words = text.trim();
  if (words === "exit" || words === "output" || words === "input") return { type: words };
  const match = words.match(/^\/(.+)\/(i?)$/s);
  if (match?.[1] !== undefined) {
    try {
      const matches = await lineMatcher(match[1], { ignoreCase: match[2] === "i" });
      return { type: "line", matches };
    } catch (cause) {
      throw new ShellError("invalid_input", `until: ${messageOf(cause)}`);
    }
  }
  throw new ShellError(
    "invalid_input",
    `until: expected "exit", "output", "input" or "/regular expression/", not ${
      JSON.stringify(text.slice(0, 100))
    }`,
  );
}
