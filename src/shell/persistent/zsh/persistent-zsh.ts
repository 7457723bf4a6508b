import { MARK } from "../../../platform/process/mark.ts";
import { changes, names } from "../changed-names.ts";
import { namedParts, restoring, withChannels, withOverrides } from "../order-lines.ts";
import {
  isLoopVariable,
  OWN,
  type PersistentDialect,
  type ReportedState,
} from "../persistent-dialect.ts";
import { zshLoop } from "./zsh-loop.ts";

/** Not exported as a rule, but each changes what a line means; in the order of the report. */
const WATCHED = ["IFS", "CDPATH", "FPATH", "MODULE_PATH", "NULLCMD", "READNULLCMD", "PS4", "ENV"];

const CD = "\\builtin cd -q --";

const NOT_RESTORED = new RegExp(`^export (?:-\\S+ )*(?:PWD|OLDPWD|SHLVL|${MARK}|__sf_\\w+)\\b`);

/** A persistent zsh. */
export const persistentZsh: PersistentDialect = {
  start: (channels) => [
    "-f",
    "-c",
    withChannels(zshLoop, channels),
    "zsh",
  ],
  order: (order) => {
    const command = withOverrides(
      order,
      "\\builtin eval --",
      (names) => `\\builtin export ${names}; `,
    );
    return Object.entries(namedParts(order, CD, command)).flat().join("\0");
  },
  restore: (from) => restoring(from, { cd: CD, skip: NOT_RESTORED }),
  read,
};

function read(fields: readonly string[], firstFields: readonly string[]): ReportedState {
  const now = partsOf(fields);
  const before = partsOf(firstFields);
  const set = names(
    changes(now.exports, before.exports),
    /^(?:export|typeset) (?:-\S+ )*([A-Za-z_]\w*)/,
    isLoopVariable,
  );
  const watched = WATCHED.filter((_, i) => now.watched[i] !== before.watched[i]);
  const listed = changes(now.listed, before.listed);
  return {
    exports: now.exports,
    state: {
      functions: names(listed, /^([^\s=]+)$/),
      aliases: names(listed, /^alias (?:-\S+ )*(?:-- )?([^=]+)=/),
      variables: [...new Set([...set, ...watched])].filter((name) => !OWN.has(name)),
    },
  };
}

function partsOf(
  [exports = "", _traps, listed = "", _place, _flags, ...watched]: readonly string[],
) {
  return { exports, listed, watched };
}
