import type { SimpleCommand } from "../../event/command.ts";
import type { Danger, Detector } from "./danger.ts";
import { destruction } from "./destruction.ts";
import { flagDangers } from "./flags.ts";
import { interpreters } from "./interpreters.ts";
import { privilege } from "./privilege.ts";
import { remoteCode } from "./remote-code.ts";
import { baseName } from "../words.ts";

const DETECTORS: readonly Detector[] = [
  interpreters,
  privilege,
  destruction,
  remoteCode,
  flagDangers,
];

/** What was found before: the analysis of a line that comes again is the same object. */
const known = new WeakMap<SimpleCommand, readonly Danger[]>();

/** Everything dangerous about a command and what it starts in turn. */
export function dangersOf(command: SimpleCommand): readonly Danger[] {
  let dangers = known.get(command);
  if (dangers === undefined) known.set(command, dangers = findDangers(command));
  return dangers;
}

function findDangers(command: SimpleCommand): readonly Danger[] {
  const sure = (command.layers ?? []).filter((layer) => layer.sure);
  const found = [command.argv, ...sure.map((layer) => layer.argv)].flatMap((argv) => {
    const [program, ...args] = argv;
    if (typeof program !== "string") return [];
    const inspected = { name: baseName(program), args, command };
    return DETECTORS.flatMap((detect) => detect(inspected));
  });
  if (
    command.layers?.some((layer) => !layer.sure) === true &&
    command.layers.every(({ by }) => by !== "docker")
  ) {
    const unsure = command.layers.find((layer) => !layer.sure);
    if (found.length === 0) {
      found.push({
        name: "unknown-options",
        reason: `what "${unsure?.by ?? ""}" runs is not certain`,
        unless: 3,
      });
    }
  }
  return found;
}
