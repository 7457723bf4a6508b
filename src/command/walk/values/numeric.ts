import type { Word } from "unbash";
import { areNumbers } from "../../program/output/lines.ts";
import { linesOf, type Printers } from "./script-lines.ts";

const INTEGER = /^[-+]?\d+$/;

/** Whether a word is a number, whatever happens. */
export function isNumeric(
  { value, parts }: Pick<Word, "value" | "parts">,
  printers: Printers,
): boolean {
  if (parts === undefined) return INTEGER.test(value);
  const [only, ...others] = parts.length === 1 && parts[0]?.type === "DoubleQuoted"
    ? parts[0].parts
    : parts;
  if (only === undefined || others.length > 0) return false;
  switch (only.type) {
    case "ArithmeticExpansion":
      return true;
    case "BraceExpansion":
      return /^\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}$/.test(only.text) ||
        /^\{\d+(?:,\d+)+\}$/.test(only.text);
    case "SimpleExpansion":
      return /^\$(?:[#?$!]|S?RANDOM|(?:EPOCH)?SECONDS|EPOCHREALTIME|LINENO|BASHPID|PPID|E?UID)$/
        .test(only.text);
    case "ParameterExpansion":
      return only.prefix === "#";
    case "CommandExpansion":
      return areNumbers(linesOf(only.script, printers));
    default:
      return false;
  }
}
