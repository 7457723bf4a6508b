import { knownText, plainText } from "../../words/word-marks.ts";
import { valuesOf } from "../parse-options.ts";
import { type ShellText, type Starting, withArguments } from "../starts.ts";
import type { Command } from "../taken-apart.ts";

/** What a `git` command starts, and the text that it hands to a shell. */
export function startedByGit({ sub, parsed }: Command): Starting {
  const { name = "", words = [] } = sub ?? {};
  const texts = sub === undefined ? [] : valuesOf(sub.parsed, sub.program.texts)
    .map((value): ShellText => ({ text: knownText(value), elsewhere: true }));
  for (const set of [...parsed.options.map(({ value }) => value), words.join("=")]) {
    const alias = /(?:^|=)alias\.[^=]+=!([^]*)$/.exec(plainText(set))?.[1];
    if (alias !== undefined) texts.push({ text: knownText(alias) });
  }
  const at = words.findIndex((word) => /^(?:run|foreach)$/.test(plainText(word)));
  const inner = at < 0 ? [] : words.slice(at + 1);
  if (name === "submodule" && inner.length > 0) {
    // The first word is text for a shell, those behind it are its arguments.
    const first = inner.findIndex((word) => !/^-/.test(plainText(word)));
    texts.push({ text: withArguments(inner.slice(first)), elsewhere: true });
  }
  const runs = name === "bisect" && inner.length > 0;
  return { started: runs ? [{ words: inner, sure: true, elsewhere: true }] : [], texts };
}
