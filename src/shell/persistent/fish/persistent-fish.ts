import { MARK } from "../../../platform/process/mark.ts";
import { dialects } from "../../dialects.ts";
import { changes, names, variablesIn } from "../changed-names.ts";
import { withChannels } from "../order-lines.ts";
import {
  isLoopVariable,
  OWN,
  type PersistentDialect,
  type ReportedState,
  type ShellOrder,
  type TerminalOrder,
} from "../persistent-dialect.ts";
import { fishLoop } from "./fish-loop.ts";

/** Not exported as a rule, but each changes what a line means; in the order of the report. */
const WATCHED = ["CDPATH", "IFS", "fish_function_path"];

const { quote } = dialects.fish;

/** Goes to a directory, and says nothing where it cannot: what it would say is in no output of a command. */
function cd(path: string): string {
  return `builtin cd -- ${quote(path)} 2>/dev/null`;
}

/** Without a shell that knows what its next reader gets, the session gets another one. */
const CLEAR = ["stty -icanon min 0 time 0", "cat", "stty sane"]
  .map((line) => `PATH=/usr/local/bin:/usr/bin:/bin command ${line}`).join("; and ");

/** A persistent fish, on a terminal only. */
export const persistentFish: PersistentDialect = {
  start: "fish cannot say which output is a command's: its own messages ignore redirections",
  order: (order, { terminal } = {}) => orderText(order, terminal),
  terminal: {
    args: (channels) => ["--no-config", "-i", "-c", withChannels(fishLoop, channels)],
    setUp: "",
  },
  restore: ({ cwd, exports }) =>
    [
      cd(cwd),
      ...exports.split("\n").filter((line) => line !== "" && !isOwn(nameOf(line)))
        .map((line) => `set -gx ${line}`),
    ].join("\n"),
  read,
};

/** A file that the loop sources several times; the command is evaluated, so that any text is one. */
function orderText(order: ShellOrder, terminal?: TerminalOrder): string {
  const { command, number, reports, mark, code, cwd, returns, overrides } = order;
  const own = Object.entries(overrides).map(([name, value]) => `${name}=${quote(value)} `).join("");
  const before = [
    ...(cwd === undefined ? [] : [cd(cwd)]),
    ...(terminal?.cleared ? [`begin; ${CLEAR}; end >/dev/null 2>&1`] : []),
    "set -g __sf_k b",
  ];
  return [
    // Each time, as the command may have set them.
    `set -g __sf_n ${number}`,
    `set -g __sf_r ${quote(reports)}`,
    'switch "$__sf_k"',
    "case I",
    `set -gx ${MARK} ${quote(mark)}`,
    "set -g __sf_k N",
    "set -g __sf_rc 1",
    before.join("; and "),
    "case b",
    `set -l __sf_e ${quote(command)}`,
    "set -g __sf_k c",
    ...(terminal === undefined ? [] : [`builtin printf %s ${quote(terminal.mark)}`]),
    `__sf_s ${code}`,
    `${own}__sf_c`,
    "set -g __sf_k D",
    "case D N",
    ...(returns === undefined ? [] : [cd(returns)]),
    "end",
    "",
  ].join("\n");
}

function read(fields: readonly string[], firstFields: readonly string[]): ReportedState {
  const now = stateOf(fields);
  const before = stateOf(firstFields);
  const watched = WATCHED.filter((_, i) => now.watched[i] !== before.watched[i]);
  return {
    exports: now.exports,
    state: {
      functions: names(changes(now.functions, before.functions), /^(.+)$/),
      variables: variablesIn(changes(now.exports, before.exports), /^(\S+)/, watched),
    },
  };
}

function stateOf([exports = "", functions = "", _, _place, ...watched]: readonly string[]) {
  return { exports, functions, watched };
}

function nameOf(line: string): string {
  return line.split(" ", 1)[0] ?? "";
}

function isOwn(name: string): boolean {
  return OWN.has(name) || isLoopVariable(name);
}
