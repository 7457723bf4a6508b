import type { Danger } from "../../event/analysis.ts";
import {
  ANY,
  OUTSIDE,
  PIPE_NAME,
  RUN_TIME,
  SETUP,
  SEVERAL,
  TEMPORARY,
  UNKNOWN,
  UNQUOTED,
} from "../words/placeholders.ts";
import {
  isUnknown,
  joinedText,
  knownText,
  plainText,
  quoted,
  shellText,
  type Words,
} from "../words/word-marks.ts";
import type { Lines } from "./output/output-lines.ts";
import { has, optionSpec, parseOptions, valuesOf } from "./parse-options.ts";
import { safeFlag } from "./safe-options.ts";
import type { ShellText } from "./starts.ts";

/** Where the input of a command comes from, and its text as far as the line tells it. */
export interface Input {
  readonly from?: "pipe" | "text" | "file";
  /** `null`: known only at run time; absent: it is no text of the line. */
  readonly text?: string | null;
  /** Other commands may read a part of the text: it is judged as a whole, and as text known only at run time. */
  readonly shared?: true;
  /** It is what files hold that the line names. */
  readonly stored?: true;
  /** What its lines are; absent: any text. */
  readonly lines?: Lines | undefined;
}

/** What is known only at run time, and no name that the line tells. */
const NOT_NAMED = new RegExp(`[${RUN_TIME}]`);
const UNKNOWN_START = new RegExp(`^[${OUTSIDE}${SEVERAL}${UNKNOWN}]`);
const UNKNOWN_TEXT = new RegExp(`[${UNQUOTED}${UNKNOWN}]`);
/** A file that is open already, so what it holds is not known by its name. */
const OPEN_FILE = /(?:^|\/)(?:dev|proc\/[\w-]+)\/fd\/\d+$/;
const STANDARD_INPUT = /(?:^|\/)(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)$|^-$/;

/** The text of a path without what does not lead anywhere. */
function plainPath(word: string | undefined): string {
  return plainText(word).replace(/\/(?:\.?\/)+/g, "/");
}

/** Whether a word names what is open already, such as the input. */
export function isInput(word: string): boolean {
  return word === PIPE_NAME ||
    /\/(?:dev\/stdin|(?:dev|proc\/[\w-]+)\/fd\/\d+)$/.test(plainPath(word));
}

/** Options of shells, as far as they matter: all others stand alone. */
const SHELL_OPTIONS = optionSpec(
  "c,command s k o= O= rcfile: init-file: emulate= C,init-command= *",
);
/** `+o` is an option of a shell as `-o` is. */
const PLUS = new RegExp(`^[+${quoted("+")}](?=[A-Za-z])`);

/** The text that a shell reads: its argument, or its input. */
export function shellTexts(words: Words, input: Input): readonly ShellText[] {
  const parsed = parseOptions(words.map((word) => word.replace(PLUS, "-")), {
    spec: SHELL_OPTIONS,
    strict: true,
  });
  const isClear = parsed.options.every(({ name, value = "" }) =>
    safeFlag(name, value) && (name === "c" || !isOpened(value))
  );
  if (parsed.unknown || !isClear) return [{ text: null }];
  const rest = words.slice(parsed.rest + (plainText(words[parsed.rest]) === "-" ? 1 : 0));
  const [operand, ...others] = rest;
  // `fish --command=TEXT`.
  const [text = operand] = valuesOf(parsed, "c");
  if (has(parsed, "c")) {
    return [{ text: text === undefined ? null : shellText(text), given: others }];
  }
  if (operand === undefined || has(parsed, "s") || STANDARD_INPUT.test(plainPath(operand))) {
    return inputTexts(input);
  }
  // A script has a path; what a pipe brings is not known.
  return isOpened(operand) ? [{ text: null }] : [];
}

/** The text that a shell finds in its input. */
function inputTexts({ text, shared }: Input): readonly ShellText[] {
  if (text === undefined) return [];
  return shared ? [{ text }, { text: null }] : [{ text }];
}

/** In a new directory the name of a file says enough. */
const IN_NEW_DIRECTORY = new RegExp(`^${TEMPORARY}(?=/)`);

/** Words of a shell in front of a text that run nothing else, but for the profile of this person. */
const PLAIN_OPTIONS = /^(?:-[euxvl]*o|-[euxvl]+|pipefail|errexit|nounset)$/;

/** Whether a command does nothing but run text that is known, so that what covers that covers it. */
export function onlyRunsText(
  { name, words, input }: { readonly name: string; readonly words: Words; readonly input: Input },
  texts: readonly ShellText[],
): boolean {
  if (texts.length === 0 || texts.some(({ text }) => text === null)) return false;
  if (/^(?:eval|trap)$/.test(name)) return true;
  const at = words.findIndex((word) => /^-[euxvl]*c$/.test(word));
  const own = at < 0 ? words : words.slice(0, at);
  return /^(?:ba|da)?sh$/.test(name) && (at >= 0 || input.text !== undefined) &&
    own.every((word) => PLAIN_OPTIONS.test(plainText(word)));
}

/** Whether a path says nothing of the file: a pipe, a descriptor, or a name known only at run time, which fits no pattern. */
function isOpened(word: string): boolean {
  return NOT_NAMED.test(word.replace(IN_NEW_DIRECTORY, "/")) || OPEN_FILE.test(plainPath(word));
}

/** The text that `eval`, `source` and `trap` run in the shell that reads the line. */
export function textHere(name: string, words: Words, input: Input): readonly ShellText[] {
  const rest = plainText(words[0]) === "--" ? words.slice(1) : words;
  const [first] = rest;
  if (first === undefined) return [];
  switch (name) {
    case "eval":
      // What a tool prints to set itself up is taken for nothing that runs.
      return [{ text: rest.length === 1 && first === SETUP ? ":" : joinedText(rest), here: true }];
    case "trap": {
      const text = shellText(first);
      const none = text !== null && /^(?:-?$|-[lp])/.test(text);
      const early = rest.slice(1).some((signal) =>
        !/^(?:(?:SIG)?EXIT|0)$/i.test(plainText(signal))
      );
      const trapped = { text, here: true, ...(early && { early }) } as const;
      return none || rest.length === 1 ? [] : [trapped];
    }
    case "alias":
      return rest.flatMap((word) => {
        const equals = word.indexOf("=");
        return equals < 0 ? [] : [{ text: knownText(word.slice(equals + 1)) }];
      });
    default:
      if (STANDARD_INPUT.test(plainPath(first))) {
        return inputTexts({ text: null, ...input }).map((each) => ({ ...each, here: true }));
      }
      return isOpened(first) ? [{ text: null, here: true }] : [];
  }
}

/** Options whose value is code, by interpreter. */
const CODE =
  /^(?:-[A-Za-z\d]*[cerEpPn]|--?eval|--print|--exec|eval|repl|-[ceErM].+|-[lanpsw\d]+[eE][^]+|--eval=[^]*|--print=[^]*|(?:--[\w-]+=)?data:[^]*)$/;
/** What stands in front of code, also glued to it. */
const GLUED = /(?<![^])-{0,2}eval\b|^-[lanpsw\d]*[eEcrM]/gm;
/** What starts programs in the languages that are common, or reads code from elsewhere. */
export const STARTS_PROGRAMS: RegExp =
  /\b(?:system|popen|\w*subprocess\w*|webbrowser|child_process|exec(?:[lv]p?e?|File|Sync)?|spawn\w*|fork|readpipe|open[23]|IPC|Open3|system2|pcntl_exec|run-program|pty|qx|shell_exec|passthru|proc_open|backtick|do shell script|Deno\.(?:run|Command|remove\w*)|Bun\.spawn|posix_spawnp?|pexpect|syscall|os\.(?:cmd|execute|startfile|remove|unlink|rmdir|rename|truncate)|rmtree|rmSync|rmdirSync|unlinkSync|unlink|rm_rf|__import__|importlib(?!\.(?:metadata|resources|util)\b)|eval|urlopen|Invoke|pickle(?!\.dumps?\b)|call(?:Command|Process)|readProcess|run-shell-command|shell\/sh|\(shell\s|shell-command|ProcessBuilder|getRuntime|sys\.process|Sys\.command|os:cmd|File\.delete|Dir\.rmdir|(?:delete|destroy)_all)\b|\bkill\w*[\s(]+(?:\w+,\s*)?-?1\b|kill\(process\.ppid|^:!|^!(?!(?:await|typeof|new|void|delete)\b)[\w./]+ [\w./~-]|\.git\/|\/hooks\/|\.ssh\b|\.envrc|\.husky|\.(?:bash|zsh)\w*rc|\/etc\/|["'/]\.env\b|`|(?:\bBun\.|\bawait )\$"|%x[^\w\s]|System\.cmd|\.execute\(\)|\b(?:requests|httpx|axios)\.(?:post|put|patch)\(\s*f?["'`]https?:\/\/(?!localhost\b|127\.)|fetch\(\s*["'`]https?:\/\/(?!localhost\b|127\.)[^;]*\bmethod\b|["'](?:-\||\|-)["']|\b(?:do|require|load|run_path)[\s("']*\/(?:dev|proc)\/|\brunIn\w*Context\b|\bnew Function\b|_compile\b|_e(?:val|xec)\b|\|\s*["']?\s*\)|\w\s*\|\s*["']|(?:open|\bIO\.\w+)\s*\(?[^)]*["']\s*\||^(?:--[\w-]+=)?data:[^,]*(?:base64|,[^]*%)/m;

/** Calls of regular expressions and models, parameters of Ruby's blocks, and addresses of this machine. */
const HARMLESS_CALLS =
  /(?<=\/[dgimsuvy]*)\.exec\(|(?:\{|\bdo)\s*\|[\w\s,]*\||\.eval\(\s*\)|\bplatform\.system\(\)|\burlopen\(\s*f?(["'])https?:\/\/(?:localhost|127\.0\.0\.1)[:/][^"']*\1/g;

const EXECUTES = /\b(\w+)\.exec\(/g;

/** Code without calls that are named like others, and start nothing. */
function withoutHarmless(code: string): string {
  return code.replace(HARMLESS_CALLS, "").replace(EXECUTES, (call, name: string) => {
    const made = new RegExp(`\\b${name}\\s*=\\s*(?:/[^/*]|new (?:RegExp|\\w*Database\\w*)\\()`);
    return made.test(code) ? "" : call;
  });
}

/** Languages in which backticks run nothing. */
const PLAIN_BACKTICKS = /^(?:node|deno|bun|tsx|ts-node|python)$/;

/** What is dangerous about running an interpreter of a language. */
export function languageDangers(name: string, words: Words, input: Input): readonly Danger[] {
  // What stands behind a module of Python is its own.
  const module = name.startsWith("python") ? words.indexOf("-m") : -1;
  const own = module < 0 ? words : words.slice(0, module + 2);
  const at = own.findIndex((word, index) =>
    CODE.test(plainText(word)) ||
    (/^(?:timeit|pdb)$/.test(plainText(word)) && plainText(words[index - 1]) === "-m")
  );
  // `deno run FILE`.
  const rest = words[0] === "run" ? words.slice(1) : words;
  const operand = rest.find((word) => !/^-./.test(plainText(word)));
  if (/^https?:/.test(plainText(operand))) {
    return [{ name: "install-url", reason: `"${name}" runs code from an address`, words: [] }];
  }
  // `python3 -m code` runs its input.
  const fromInput = rest.every((word) => /^-(?!-?version$|V$)/.test(plainText(word))) ||
    STANDARD_INPUT.test(plainPath(operand)) || (module >= 0 && own[module + 1] === "code");
  const opened = operand === PIPE_NAME || OPEN_FILE.test(plainPath(operand));
  if (opened || (at < 0 && fromInput && input.from === "pipe" && typeof input.text !== "string")) {
    const what = opened ? "what a command prints" : "what comes through a pipe";
    return [{ name: "pipe-to-interpreter", reason: `"${name}" runs ${what}`, words: [] }];
  }
  const unknown = rest.findIndex((word) => UNKNOWN_START.test(word));
  if (unknown >= 0 && at < 0 && rest.slice(0, unknown).every(isOption)) {
    return inlineDangers(name, null, []);
  }
  // Perl opens its operands, which can be commands.
  if (
    name === "perl" &&
    words.some((word) => OPENS.test(plainText(word)) || COPIES_ELSEWHERE.test(word))
  ) {
    return inlineDangers(name, null, []);
  }
  // A module or a script can read its input as code, too.
  if (at < 0 && (fromInput ? input.text !== undefined : typeof input.text === "string")) {
    return inlineDangers(name, input.shared ? null : input.text ?? null, []);
  }
  if (at < 0) return [];
  const code = words.slice(at).map(plainText).join("\n").replace(GLUED, " ");
  const writes = WRITES_FILES.test(code) &&
    words.slice(at + 2).some((word) => UNKNOWN_TEXT.test(word));
  const known = CODE_UNKNOWN.test(code) || isUnknown(words[at + 1]) || writes ? null : code;
  return inlineDangers(name, known, [name, plainText(words[at])]);
}

/** Whether a word is an option or could be the value of one, so that another one can follow. */
function isOption(word: string, at: number, words: Words): boolean {
  const before = plainText(words[at - 1]);
  return /^-(?!m?$|-$)/.test(plainText(word)) || /^(?:-[rIWX]|--\w+)$/.test(before);
}

/** A name that Perl takes for a command, or for a file to write. */
const OPENS = /^(?!-)(?:\s*[|>+]\s*[\w./]|[^]*[\w\s]\|\s*$)/;
/** `-i` of Perl with a suffix that puts the copy into another directory. */
const COPIES_ELSEWHERE = new RegExp(`^-\\w*i[^ ]*[/${quoted("*")}*]`);

/** Text known only at run time is harmless as an argument of its own, not inside of code. */
const CODE_UNKNOWN = new RegExp(`[^\\n][${ANY}]|[${ANY}][^\\n]`);

/** Code that could write the files that it is given. */
const WRITES_FILES = /["'](?:\+?>>?|[wax]b?\+?)["']|(?<!stdout)\.write|writeFile|copy|rename|move/;

function inlineDangers(name: string, code: string | null, words: Words): readonly Danger[] {
  const text = PLAIN_BACKTICKS.test(name) ? code?.replaceAll("`", '"') ?? null : code;
  if (text !== null && !STARTS_PROGRAMS.test(withoutHarmless(text))) return [];
  const reason = code === null
    ? `"${name}" runs code known only at run time`
    : `the code for "${name}" can start programs, delete files or change settings`;
  return [{ name: "inline-code", reason, words }];
}
