import { isUnknown, joinedText, knownText, plainText } from "../words/marks.ts";
import { programName } from "../words/program-name.ts";

/** Text that a command hands to a shell. */
export interface Script {
  readonly by: string;
  /** `null`: known only at run time. */
  readonly text: string | null;
}

const SHELLS = /^(?:r?bash|sh|zsh|dash|ksh|mksh|ksh93|ash|fish|yash|csh|tcsh)$/;

/** Whether a program is a shell that reads commands. */
export function isShell(name: string): boolean {
  return SHELLS.test(name);
}

/** The texts in a command's own arguments that a shell would run. */
export function scriptsOf(words: readonly string[]): readonly Script[] {
  const [program, ...rest] = words;
  if (program === undefined || isUnknown(program)) return [];
  const by = programName(program);
  if (isShell(by)) return shellText(by, rest);
  switch (by) {
    case "eval":
      return [{ by, text: joinedText(plainText(rest[0] ?? "") === "--" ? rest.slice(1) : rest) }];
    case "trap": {
      const action = rest.find((word) => plainText(word) !== "--");
      const text = knownText(action ?? "");
      if (text !== null && (text === "" || text === "-" || /^-[lp]/.test(text))) return [];
      return [{ by, text }];
    }
    case "alias":
      return rest.flatMap((word) => {
        const equals = word.indexOf("=");
        return equals === -1 ? [] : [{ by, text: knownText(word.slice(equals + 1)) }];
      });
    case "complete":
    case "compgen":
    case "mapfile":
    case "readarray":
      return optionTexts(by, rest, /^-C$/);
    case "bind":
      return optionTexts(by, rest, /^-x$/).map(({ text }) => ({
        by,
        text: text === null ? null : text.replace(/^[^:]*:\s*"?|"$/g, ""),
      }));
    case "git":
      return gitTexts(rest);
    case "tar":
    case "rg":
    case "sort":
      return valueTexts(by, rest);
    default:
      return [];
  }
}

function shellText(by: string, words: readonly string[]): Script[] {
  let wants = false;
  for (let at = 0; at < words.length; at++) {
    const text = plainText(words[at] ?? "");
    if (isUnknown(text)) return wants ? [{ by, text: null }] : [];
    if (/^(?:[-+][oO]|--rcfile|--init-file)$/.test(text)) at++;
    else if (text === "--command") wants = true;
    else if (/^-[A-Za-z]*c[A-Za-z]*$/.test(text)) wants = true;
    else if (!/^[-+]/.test(text) || text === "-" || text === "--") {
      const operand = text === "-" || text === "--" ? words[at + 1] : words[at];
      return wants ? [{ by, text: knownText(operand ?? "") }] : [];
    }
  }
  return [];
}

function optionTexts(by: string, words: readonly string[], option: RegExp): Script[] {
  const at = words.findIndex((word) => option.test(plainText(word)));
  const text = words[at + 1];
  return at === -1 || text === undefined ? [] : [{ by, text: knownText(text) }];
}

function gitTexts(words: readonly string[]): Script[] {
  const scripts: Script[] = [];
  for (const [index, word] of words.entries()) {
    const text = plainText(word);
    const next = words[index + 1];
    if (/^(?:-x|--exec|--upload-pack|--receive-pack|foreach)$/.test(text) && next !== undefined) {
      scripts.push({ by: "git", text: knownText(next) });
    }
    const alias = /^alias\.[^=]+=!([^]*)$/.exec(text);
    if (alias !== null) scripts.push({ by: "git", text: knownText(alias[1] ?? "") });
  }
  return scripts;
}

/** `--to-command=rm`, `--checkpoint-action=exec=rm`, `--pre=rm`, `--compress-program=rm`. */
function valueTexts(by: string, words: readonly string[]): Script[] {
  const scripts: Script[] = [];
  for (const [index, word] of words.entries()) {
    const match = /^--(?:to-com|checkpoint-a|use-c|info-s|new-v|rsh|comp|pre$|pre=)[^=]*=?([^]*)$/
      .exec(
        plainText(word),
      );
    const short = by === "tar" && /^-[IF]$/.test(word);
    if (match === null && !short) continue;
    const glued = /=([^]*)$/.exec(plainText(word))?.[1];
    const value = word.includes("=") ? glued ?? "" : plainText(words[index + 1] ?? "");
    scripts.push({ by, text: knownText(value.replace(/^exec=/, "")) });
  }
  return scripts;
}
