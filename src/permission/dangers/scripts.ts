import { hasFlag } from "../flags.ts";
import type { Words } from "../words.ts";

/** Whether a sed script can run a command or write a file; what is not understood counts as one. */
export function sedRuns(args: Words): boolean {
  const scripts: (string | null)[] = [];
  let explicit = false;
  const operands: (string | null)[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? null;
    if (arg === null) operands.push(null);
    else if (/^(?:-[A-Za-z]*e|--expression|--exp\w*)$/.test(arg)) {
      scripts.push(args[++at] ?? null);
      explicit = true;
    } else if (/^--exp\w*=/.test(arg)) {
      scripts.push(arg.slice(arg.indexOf("=") + 1));
      explicit = true;
    } else if (/^-[nEruszl]*e./.test(arg)) {
      scripts.push(arg.slice(arg.indexOf("e") + 1));
      explicit = true;
    } else if (/^(?:-[A-Za-z]*f|--file)/.test(arg) && !/^-i/.test(arg)) return true;
    else if (!arg.startsWith("-")) operands.push(arg);
  }
  if (!explicit) scripts.push(operands[0] ?? "");
  return scripts.some((script) => script === null || sedScriptRuns(script));
}

/** Whether an awk program can run a command or write a file. */
export function awkRuns(args: Words): boolean {
  if (hasFlag(args, { long: ["--file", "--include", "--load", "--exec"], short: "filE" })) {
    return true;
  }
  let program: string | null | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? null;
    if (arg === "-F" || arg === "-v") at++;
    else if (arg === null || !arg.startsWith("-")) {
      program = arg;
      break;
    }
  }
  if (program === null) return true;
  const bare = (program ?? "").replace(/"(?:\\[^]|[^"\\])*"/g, '""').replace(
    /\/(?:\\[^]|[^\\/\n])+\//g,
    "//",
  );
  return /\bsystem\s*\(|\||\bgetline\b|@(?:load|include)|>\s*(?:""|\$|\()|>>/.test(bare);
}

function sedScriptRuns(script: string): boolean {
  // Substitutions first, as their text may hold anything: what is left are addresses and letters.
  const substitution =
    /s([^\sA-Za-z0-9\\])(?:\\[^]|(?!\1)[^\\])*\1(?:\\[^]|(?!\1)[^\\])*\1([gIiMmp0-9ew]*)/g;
  let dangerous = false;
  let rest = script.replace(substitution, (_, _mark, flags: string) => {
    if (/[ew]/.test(flags)) dangerous = true;
    return "S";
  });
  rest = rest.replace(/\/(?:\\[^]|[^\\/])*\//g, "A").replace(
    /(?:^|[;{}\n])\s*[^;{}\n]*?[aic]\\?[^]*?(?:\n|$)/g,
    (text) => /^[;{}\s]*[0-9,$A!~+ ]*[aic](?:\\|\s|\S)/.test(text) ? "" : text,
  );
  return dangerous ||
    /(?:^|[;{}\n0-9$A!S\s])[ewWrRF](?:\s|$|[^\s;}])/.test(rest.replaceAll("S", ""));
}
