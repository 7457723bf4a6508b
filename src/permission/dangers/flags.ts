import { type FlagNames, hasFlag, operandsOf } from "../flags.ts";
import type { Words } from "../words.ts";
import { subcommandOf } from "./destruction.ts";
import type { Danger, Inspected } from "./danger.ts";

/** Options with which a harmless program runs another one. */
const RUNS: ReadonlyMap<string, FlagNames> = new Map([
  ["rg", { long: ["--pre", "--hostname-bin", "--search-zip"], short: "z" }],
  ["ag", { long: ["--pager"] }],
  ["sort", { long: ["--compress-program"] }],
  ["split", { long: ["--filter"] }],
  ["tar", {
    long: [
      "--use-compress-program",
      "--to-command",
      "--checkpoint-action",
      "--info-script",
      "--new-volume-script",
      "--rsh-command",
    ],
    short: "IF",
  }],
  ["man", { long: ["--pager", "--html", "--preprocessor", "--config-file"], short: "PHC" }],
  ["file", { long: ["--magic-file", "--files-from", "--compile"] }],
  ["diff3", { long: ["--diff-program"] }],
  ["sdiff", { long: ["--diff-program"] }],
  ["rsync", { long: ["--rsh", "--rsync-path"], short: "e" }],
  ["bat", { long: ["--pager"] }],
  ["cloc", { long: ["--extract-with", "--vcs"] }],
  ["make", { long: ["--eval"] }],
  ["go", { long: ["-exec", "-toolexec", "-vettool"] }],
  ["zip", { long: ["--unzip-command"], short: "TT" }],
  ["ip", { long: ["-batch"] }],
  ["less", { short: "+" }],
  ["git", {
    long: [
      "--exec-path",
      "--upload-pack",
      "--receive-pack",
      "--ext-diff",
      "--textconv",
      "--open-files-in-pager",
    ],
  }],
]);

/** Options and little languages that make a program run something else. */
export function flagDangers({ name, args }: Inspected): readonly Danger[] {
  const dangers: Danger[] = [];
  const danger = (id: string, reason: string) => dangers.push({ name: id, reason });
  const runs = RUNS.get(name);
  if (runs !== undefined && hasFlag(args, runs)) {
    danger("runs-program", `an option makes "${name}" run another program`);
  }
  if (
    /^(?:sort|wc|du|find)$/.test(name) && hasFlag(args, { long: ["--files0-from", "-files0-from"] })
  ) {
    danger("list-file", `"${name}" takes paths from a file`);
  }
  if (name === "xargs" && hasFlag(args, { long: ["--arg-file"], short: "a" })) {
    danger("list-file", '"xargs" takes words from a file');
  }
  if (name === "git") dangers.push(...gitDangers(args));
  if (name === "sed" && sedRuns(args)) danger("sed-command", '"sed" runs or writes by its script');
  if (/^[gmn]?awk$/.test(name) && awkRuns(args)) {
    danger("awk-command", `"${name}" runs or writes by its program`);
  }
  return dangers;
}

/** Settings that are only read, never run. */
const PLAIN_SETTING =
  /^(?:user\.(?:name|email)|color\.[\w.]+|init\.defaultbranch|pull\.\w+|push\.\w+|fetch\.prune|core\.(?:autocrlf|eol|filemode|ignorecase|quotepath))$/i;

function gitDangers(args: Words): readonly Danger[] {
  const dangers: Danger[] = [];
  const words = subcommandOf(args);
  const global = args.slice(0, args.length - words.length);
  const given = (names: RegExp) => global.some((arg) => arg === null || names.test(arg));
  if (given(/^(?:-c|--config-env|--exec-path=|--git-dir|--work-tree)/)) {
    dangers.push({ name: "git-config", reason: '"git" takes settings from its arguments' });
  }
  if (words[0] === null) {
    dangers.push({ name: "git-unknown", reason: '"git" does what is known only at run time' });
  }
  if (
    /^(?:filter-branch|daemon|upload-pack|receive-pack|difftool|mergetool|web--browse|instaweb)$/
      .test(words[0] ?? "")
  ) {
    dangers.push({ name: "git-runs", reason: `"git ${words[0]}" runs other programs` });
  }
  if (
    words[0] === "bisect" && words[1] === "run" ||
    words[0] === "submodule" && words.includes("foreach")
  ) {
    dangers.push({ name: "git-runs", reason: `"git ${words[0]}" runs other programs` });
  }
  if (words[0] === "rebase" && hasFlag(words, { long: ["--exec"], short: "x" })) {
    dangers.push({ name: "git-runs", reason: '"git rebase" runs other programs' });
  }
  if (words[0] === "grep" && hasFlag(words, { short: "O" })) {
    dangers.push({ name: "git-runs", reason: '"git grep" runs a pager' });
  }
  if (
    words[0] === "config" && words.length > 2 &&
    !words.some((word) => PLAIN_SETTING.test(word ?? "")) &&
    !words.some((word) => /^--(?:get|list|show)/.test(word ?? ""))
  ) {
    dangers.push({ name: "git-config", reason: '"git config" changes what git runs', unless: 3 });
  }
  if (words.some((word) => word?.startsWith("ext::") === true)) {
    dangers.push({ name: "git-runs", reason: '"git" connects through a program' });
  }
  if (
    words[0] === "push" &&
    operandsOf(words.slice(1)).some((word) => word !== null && /:\/\/|^[^/]+@[^/]+:/.test(word))
  ) {
    dangers.push({ name: "sends-data", reason: '"git push" to an address' });
  }
  return dangers;
}

/** A sed script that can run a command or write a file; what is not understood counts as one. */
function sedRuns(args: Words): boolean {
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

function awkRuns(args: Words): boolean {
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
