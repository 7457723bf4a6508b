import * as v from "valibot";
import type { CommandId, Origin } from "../../event/command.ts";
import { shownValue } from "../../value/shown.ts";
import { checkFields } from "../../value/check-fields.ts";
import { encodeKeys, encodeText, type KeyModes } from "../../screen/keys.ts";

/**
 * What is written to a running command: text as it is typed, keys such as `{ keys: "yes{enter}" }`, or
 * bytes as they are.
 */
export type CommandInput = string | Uint8Array | { readonly keys: string };

/** How input is written. */
export interface InputOptions {
  /** Nothing follows; on a terminal Ctrl-D is typed. */
  readonly end?: boolean;
  /** What types: input of a model, the default, is judged like a command; that of a user is not. */
  readonly origin?: Origin;
}

/** Why input was not written. Before `cutOff` the command may have read some of it, before all others nothing. */
export type InputRefusal = "notRunning" | "takesNoInput" | "denied" | "cutOff";

/** Input that a command did not get. */
export class InputError extends Error {
  readonly refusal: InputRefusal;

  constructor(taskId: CommandId, refusal: InputRefusal, why: string, cause?: unknown) {
    super(`Cannot write to "${taskId}": ${why}`, { cause });
    this.name = "InputError";
    this.refusal = refusal;
  }
}

const inputSchema = v.union(
  [v.string(), v.instance(Uint8Array), v.strictObject({ keys: v.string() })],
  "it must be a string, a Uint8Array or { keys: string }",
);
const optionsSchema = v.strictObject({
  end: v.optional(v.boolean()),
  origin: v.optional(v.picklist(["model", "user"])),
});

/** @throws {TypeError} For the first field that cannot be used; the value of input may be a secret. */
export function checkInput(taskId: CommandId, input: CommandInput, options: InputOptions): void {
  const cannot = `Cannot write to ${shownValue(taskId)} with`;
  const { success, issues } = v.safeParse(inputSchema, input);
  if (!success) throw new TypeError(`${cannot} input: ${issues[0].message}`);
  checkFields(optionsSchema, options, cannot);
}

/**
 * Encode input for a terminal in its present modes, or for a pipe: there the key enter is a line feed,
 * and Ctrl-D is the end.
 *
 * @throws {Error} When a modifier has no key, as in `{ctrl-no}`.
 */
export function encodeInput(input: CommandInput, modes: KeyModes | undefined): {
  readonly bytes: Uint8Array;
  /** A key ended the input of a command without a terminal. */
  readonly ends: boolean;
} {
  if (input instanceof Uint8Array) return { bytes: new Uint8Array(input), ends: false };
  const encoder = new TextEncoder();
  if (modes !== undefined) {
    const text = typeof input === "string"
      ? encodeText(input, modes)
      : encodeKeys(input.keys, modes);
    return { bytes: encoder.encode(text), ends: false };
  }
  const [text = "", ...rest] = typeof input === "string"
    ? [input]
    : encodeKeys(input.keys, PIPE).replaceAll("\r", "\n").split("\x04");
  return { bytes: encoder.encode(text), ends: rest.length > 0 };
}

/** What input means to a program that reads lines. */
export function lineText(input: CommandInput): string {
  if (input instanceof Uint8Array) return new TextDecoder().decode(input).replaceAll("\r", "\n");
  return (typeof input === "string" ? input : encodeKeys(input.keys, PIPE)).replaceAll("\r", "\n");
}

/** Where nothing has asked for another encoding. */
const PIPE: KeyModes = { applicationCursor: false, bracketedPaste: false, kittyKeyboard: 0 };
