import type { SimpleCommand } from "../../event/command.ts";
import { baseName, type Words } from "../words.ts";

/** Wrappers that change nothing about what a command does, so a rule for the command covers them. */
const TRANSPARENT = new Set(["timeout", "nice", "nohup", "time", "stdbuf", "env", "command"]);

/** Every way to look at a command, for rules that deny or ask: one that fits is enough. */
export function allForms(command: SimpleCommand): readonly Words[] {
  const forms: Words[] = [];
  const add = (words: Words) => {
    if (words.length === 0) return;
    forms.push(words);
    const based = withBaseName(words);
    if (based !== undefined) forms.push(based);
    const git = withoutGitOptions(based ?? words);
    if (git !== undefined) forms.push(git);
  };
  if (command.assignments.length > 0) {
    forms.push([
      ...command.assignments.map(({ name, value }) => value === null ? null : `${name}=${value}`),
      ...command.argv,
    ]);
  }
  add(command.argv);
  for (const layer of command.layers ?? []) add(layer.argv);
  return forms;
}

/** A command without the wrappers that change nothing, and what is left to look through. */
interface Stripped {
  readonly argv: Words;
  /** Commands that it starts in turn; none of them is looked through for an allow rule. */
  readonly inner: NonNullable<SimpleCommand["layers"]>;
}

/** The one form that an allow rule has to cover. */
export function strippedForm(command: SimpleCommand): Stripped {
  let argv: Words = command.argv;
  let at = 0;
  const layers = command.layers ?? [];
  while (at < layers.length) {
    const layer = layers[at];
    if (layer === undefined || !layer.sure) break;
    if (typeof argv[0] !== "string" || argv[0] !== layer.by || !TRANSPARENT.has(argv[0])) break;
    argv = layer.argv;
    at++;
  }
  return { argv, inner: layers.slice(at) };
}

function withBaseName(words: Words): Words | undefined {
  const [program, ...rest] = words;
  if (typeof program !== "string" || !/[\\/]/.test(program)) return undefined;
  return [baseName(program), ...rest];
}

const GIT_VALUES =
  /^(?:-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--exec-path)$/;

function withoutGitOptions(words: Words): Words | undefined {
  if (words[0] !== "git" || words[1]?.startsWith("-") !== true) return undefined;
  let at = 1;
  while (at < words.length) {
    const word = words[at];
    if (typeof word !== "string" || !word.startsWith("-")) break;
    at += GIT_VALUES.test(word) ? 2 : 1;
  }
  return ["git", ...words.slice(at)];
}
