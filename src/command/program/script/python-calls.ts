import { UNKNOWN, UNKNOWN_WORDS } from "../../words/placeholders.ts";
import { plainText, quoted, type Words } from "../../words/word-marks.ts";

const CALL =
  /\bsubprocess\.(?:run|call|check_call|check_output|Popen)\(\s*\[([^\]]*)\]\s*(?:,\s*(?:check|capture_output|text|stdout|stderr|timeout|encoding|errors|universal_newlines|cwd)\s*=\s*[\w."'/-]+\s*)*,?\s*\)/g;
const ITEM =
  /^\s*(?:"([^"\\]*)"|'([^'\\]*)'|(\*?)(?:f?"[^"\\]*"|f?'[^'\\]*'|[A-Za-z_][\w.]*(?:\([\w.]*\))?))\s*$/;
/** What does not start a program by itself. */
const NAMED =
  /(?:^|;)[ \t]*import (?![^\n;]* as )[\w, \t]*\bsubprocess\b[\w, \t]*(?=;|$)|\bsubprocess\.(?:PIPE|DEVNULL|STDOUT|CalledProcessError|TimeoutExpired|CompletedProcess)\b/gm;
/** What makes such a call another one than its list says, or finds the module under another name. */
const CHANGED =
  /\b(?:shell|executable|env)\s*=|\bpreexec_fn\b|\bsubprocess\s*=|\bas subprocess\b|\b(?:globals|locals|vars|getattr|modules|dir|inspect|gc|__\w+__)\b/;
/** What runs its input, or the code in its words. */
const INTERPRETERS =
  /(?:^|\/)(?:\w*sh|python|perl|ruby|node|deno|bun|php|lua|awk|env|xargs)[\d.]*$/;

/** The programs that Python code starts by lists of words, and the code without these calls. */
export interface PythonCalls {
  readonly commands: readonly Words[];
  readonly rest: string;
  /** They can run in another directory. */
  readonly elsewhere: boolean;
}

/** Look for calls of `subprocess` whose program the code spells. */
export function pythonCalls(code: string): PythonCalls {
  const commands: Words[] = [];
  if (CHANGED.test(code)) return { commands, rest: code, elsewhere: false };
  const rest = code.replace(CALL, (call, list: string) => {
    const items = list.replace(/,\s*$/, "").match(/(?:"[^"\\]*"|'[^'\\]*'|[^,"'])+/g) ?? [];
    const words = items.map((item) => {
      const found = ITEM.exec(item);
      if (found === null) return undefined;
      const text = found[1] ?? found[2];
      return text === undefined ? found[3] === "*" ? UNKNOWN_WORDS : UNKNOWN : quoted(text);
    });
    const [first] = words;
    const known = words.flatMap((word) => word ?? []);
    if (first === undefined || first === UNKNOWN || known.length < words.length) return call;
    if (INTERPRETERS.test(plainText(first))) return call;
    commands.push(known);
    return "()";
  });
  return { commands, rest: rest.replace(NAMED, ""), elsewhere: /\b(?:cwd\s*=|chdir\b)/.test(code) };
}
