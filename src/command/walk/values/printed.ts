import type { CommandExpansionPart } from "unbash";
import type { SimpleCommand } from "../../../event/analysis.ts";
import type { Input } from "../../program/code.ts";
import { UNKNOWN } from "../../words/placeholders.ts";
import { lastCommand } from "./last-command.ts";

/** What a substitution puts into a word, where a here-document, `echo` or `printf` spells it. */
export function spelledOutput(part: CommandExpansionPart): string | undefined {
  return (literalText(part) ?? spelledText(part))?.replace(/\n+$/, "");
}

/** What `echo` or `printf` prints in a substitution. */
function spelledText(part: CommandExpansionPart): string | undefined {
  const words = lastCommand(part);
  if (words === undefined || !/^(?:echo|printf)$/.test(words[0] ?? "")) return undefined;
  if (words.some((word) => /[$`*?[\]{}~\\]/.test(word) || word.includes(UNKNOWN))) return undefined;
  return printed(words, {}) ?? undefined;
}

/** The text of `$(cat <<'END' … )`. */
function literalText({ script }: CommandExpansionPart): string | undefined {
  const [{ command } = {}, ...others] = script?.commands ?? [];
  if (others.length > 0 || command?.type !== "Command" || command.name?.text !== "cat") {
    return undefined;
  }
  const [only, ...more] = [...command.prefix, ...command.suffix];
  const isLiteral = more.length === 0 && only?.type === "HereDoc" && only.operator === "<<" &&
    only.delimiter?.quoted === true && only.descriptor === undefined;
  return isLiteral ? only.body.text : undefined;
}

/** What a command prints, as far as its words tell; `null`: known only at run time. */
export function printed([name, ...argv]: SimpleCommand["argv"], before: Input): string | null {
  const words = argv.flatMap((word) => word ?? []);
  if (words.length < argv.length) return null;
  switch (name) {
    case "cat":
      return words.length === 0 ? before.text ?? null : null;
    case "echo": {
      const at = words.findIndex((word) => !/^-[neE]+$/.test(word));
      const text = words.slice(at < 0 ? words.length : at).join(" ");
      if (!text.includes("\\")) return text;
      const escapes = /e[^E]*$/.test(words.slice(0, at).join(""));
      return escapes && !text.includes('\\"') ? unescaped(text) : null;
    }
    case "printf":
      return /^-(?!-$)/.test(words[0] ?? "")
        ? null
        : formatted(words[0] === "--" ? words.slice(1) : words);
    default:
      return null;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", "\\": "\\", '"': '"' };

function unescaped(text: string): string | null {
  const plain = text.replace(/\\([^])/g, (escape, char) => ESCAPES[char] ?? escape);
  return /\\(?![\\nt"])/.test(text.replaceAll("\\\\", "")) ? null : plain;
}

/** What `printf` prints, where its format has no other directive than `%s`. */
function formatted([format = "", ...words]: readonly string[]): string | null {
  const plain = unescaped(format);
  if (plain === null || /%(?![%s])/.test(plain.replaceAll("%%", ""))) return null;
  const rest = [...words];
  let text = "";
  let left: number;
  // A format is used again for the words that are left.
  do {
    left = rest.length;
    text += plain.replace(/%([%s])/g, (_, kind) => kind === "%" ? "%" : rest.shift() ?? "");
  } while (rest.length > 0 && rest.length < left);
  return text;
}
