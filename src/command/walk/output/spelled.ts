import type { SimpleCommand } from "../../../event/analysis.ts";
import type { Input } from "../../program/code.ts";
import { NUMBER } from "../../words/placeholders.ts";

/** What a command prints, as far as its words tell, in which numbers can stand; `null`: known only at run time. */
export function textSpelled([name, ...argv]: SimpleCommand["argv"], before: Input): string | null {
  const words = argv.flatMap((word) => word ?? []);
  if (words.length < argv.length) return null;
  switch (name) {
    case "cat":
      return words.length === 0 && !before.shared ? before.text ?? null : null;
    case "echo": {
      const at = words.findIndex((word) => !/^-[neE]+$/.test(word));
      const [options, text] = at < 0
        ? [words.join(""), ""]
        : [words.slice(0, at).join(""), words.slice(at).join(" ")];
      const end = options.includes("n") ? "" : "\n";
      if (!text.includes("\\")) return text + end;
      const escapes = /e[^E]*$/.test(options);
      const plain = escapes && !text.includes('\\"') ? unescaped(text) : null;
      return plain === null ? null : plain + end;
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

/** What `printf` prints, where its format has no other directives than `%s` and those of whole numbers. */
function formatted([format = "", ...words]: readonly string[]): string | null {
  const plain = unescaped(format);
  if (plain === null || /%(?!(?:0\d+)?[du]|s)/.test(plain.replaceAll("%%", ""))) return null;
  const rest = [...words];
  let text = "";
  let left: number;
  // A format is used again for the words that are left.
  do {
    left = rest.length;
    text += plain.replace(/%0?\d*([%sdu])/g, (_, kind) => {
      if (kind === "%") return "%";
      const word = rest.shift() ?? "";
      return kind === "s" ? word : NUMBER;
    });
  } while (rest.length > 0 && rest.length < left);
  return text;
}
