import { MARK } from "../../../platform/process/mark.ts";
import { quote } from "../../quote.ts";
import { changes, names, variablesIn } from "../changed-names.ts";
import { namedParts, restoring, withChannels, withOverrides } from "../order-lines.ts";
import type { PersistentDialect, ReportedState } from "../persistent-dialect.ts";
import { posixLoop } from "./posix-loop.ts";

/** Not exported as a rule, but each changes what a line means; in the order of the report. */
const WATCHED = ["IFS", "CDPATH", "PS4", "ENV"];

const CD = "\\command cd --";

const NOT_RESTORED = new RegExp(`^(?:export|declare -x) (?:PWD|OLDPWD|SHLVL|${MARK}|__sf_\\w+)\\b`);

/** A persistent sh. */
export const persistentPosix: PersistentDialect = {
  start: (channels) => [
    "-c",
    '__sf_d=$1; \\shift; \\eval "$__sf_d"',
    "sh",
    withChannels(posixLoop, channels),
  ],
  order: (order) => {
    const parts = namedParts(order, CD, withOverrides(order, "\\command eval"));
    return Object.entries(parts).map(([name, text]) => `__sf_${name}=${quote(text)}\n`).join("");
  },
  restore: (from) => restoring(from, { cd: CD, skip: NOT_RESTORED }),
  read,
};

function read(fields: readonly string[], firstFields: readonly string[]): ReportedState {
  const now = partsOf(fields);
  const before = partsOf(firstFields);
  const changed = changes(now.exports, before.exports);
  const watched = WATCHED.filter((_, i) => now.watched[i] !== before.watched[i]);
  return {
    exports: now.exports,
    state: {
      aliases: names(now.aliases, /^(?:alias )?([^=]+)=/),
      variables: variablesIn(changed, /^(?:export|declare -\S+) ([A-Za-z_]\w*)/, watched),
    },
  };
}

function partsOf(
  [exports = "", _traps, aliases = "", _place, _flags, ...watched]: readonly string[],
) {
  return { exports, aliases, watched };
}
