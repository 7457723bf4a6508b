import { MARK } from "../../../platform/process/mark.ts";
import type { ChannelPaths } from "../../../platform/shell/shells.ts";
import { changes, names, variablesIn } from "../changed-names.ts";
import { namedParts, restoring, withChannels, withOverrides } from "../order-lines.ts";
import type { PersistentDialect, ReportedState, ShellOrder } from "../persistent-dialect.ts";
import { interruptOf, zshOnTerminal } from "./terminal-zsh.ts";
import { zshLoop } from "./zsh-loop.ts";

/** Not exported as a rule, but each changes what a line means; in the order of the report. */
const WATCHED = ["IFS", "CDPATH", "FPATH", "MODULE_PATH", "NULLCMD", "READNULLCMD", "PS4", "ENV"];

const CD = "\\builtin cd -q --";

const NOT_RESTORED = new RegExp(`^export (?:-\\S+ )*(?:PWD|OLDPWD|SHLVL|${MARK}|__sf_\\w+)\\b`);

/** A persistent zsh. */
export const persistentZsh: PersistentDialect = {
  start: (channels) => startArgs("-f", channels),
  order: (order, more) => {
    const parts = partsOf(order);
    return orderText(more === undefined ? parts : zshOnTerminal.parts(parts, more));
  },
  terminal: {
    args: (channels) => startArgs("-fi", channels),
    setUp: zshOnTerminal.setUp,
  },
  restore: (from) => restoring(from, { cd: CD, skip: NOT_RESTORED }),
  read,
};

function startArgs(options: string, channels: ChannelPaths): readonly string[] {
  return [options, "-c", withChannels(zshLoop, channels), "zsh"];
}

function partsOf(order: ShellOrder): Readonly<Record<string, string>> {
  const command = withOverrides(
    order,
    "\\builtin eval --",
    (names) => `\\builtin export ${names}; `,
  );
  return namedParts(order, CD, command);
}

function orderText(parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).flat().join("\0");
}

function read(fields: readonly string[], firstFields: readonly string[]): ReportedState {
  const now = stateOf(fields);
  const before = stateOf(firstFields);
  const changed = changes(now.exports, before.exports);
  const watched = WATCHED.filter((_, i) => now.watched[i] !== before.watched[i]);
  const listed = changes(now.listed, before.listed);
  return {
    interrupt: interruptOf(now.traps),
    exports: now.exports,
    state: {
      functions: names(listed, /^([^\s=]+)$/),
      aliases: names(listed, /^alias (?:-\S+ )*(?:-- )?([^=]+)=/),
      variables: variablesIn(changed, /^(?:export|typeset) (?:-\S+ )*([A-Za-z_]\w*)/, watched),
    },
  };
}

function stateOf(
  [exports = "", traps = "", listed = "", _place, _flags, ...watched]: readonly string[],
) {
  return { exports, traps, listed, watched };
}
