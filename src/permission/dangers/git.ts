import { hasFlag, operandsOf } from "../flags.ts";
import type { Words } from "../words.ts";
import type { Danger } from "./danger.ts";
import { subcommandOf } from "./destruction.ts";

/** Settings and commands that make git run other programs, or send data. */
export function gitDangers(args: Words): readonly Danger[] {
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

/** Settings that are only read, never run. */
const PLAIN_SETTING =
  /^(?:user\.(?:name|email)|color\.[\w.]+|init\.defaultbranch|pull\.\w+|push\.\w+|fetch\.prune|core\.(?:autocrlf|eol|filemode|ignorecase|quotepath))$/i;
