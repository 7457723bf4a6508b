import { constants } from "node:os";
import process from "node:process";

/** The numbers that signals have on this machine, by name. */
export const SIGNAL_NUMBERS: Readonly<Record<string, number>> = constants.signals;

const FIRST = 34;
const LAST = 64;

/** Linux's real-time signals, which the runtimes do not name, by number; named as by bash, from the nearer end. */
const REAL_TIME_SIGNALS: ReadonlyMap<number, string> = new Map(
  process.platform === "linux"
    ? Array.from({ length: LAST - FIRST + 1 }, (_, n) => [FIRST + n, nameOf(FIRST + n)])
    : [],
);

/** The number of any of them. */
export function signalNumber(name: string): number | undefined {
  if (Object.hasOwn(SIGNAL_NUMBERS, name)) return SIGNAL_NUMBERS[name];
  return [...REAL_TIME_SIGNALS].find(([, known]) => known === name)?.[0];
}

/** The usual name of a signal, as some have two; `undefined` where there is none. */
export function knownSignal(number: number): string | undefined {
  return NAMES.get(number);
}

/** The same, or the number as a name. */
export function signalName(number: number): string {
  return knownSignal(number) ?? `SIG${number}`;
}

function nameOf(number: number): string {
  if (number === FIRST) return "SIGRTMIN";
  if (number === LAST) return "SIGRTMAX";
  const above = number - FIRST;
  return above < 16 ? `SIGRTMIN+${above}` : `SIGRTMAX-${LAST - number}`;
}

const NAMES: ReadonlyMap<number, string> = new Map([
  ...REAL_TIME_SIGNALS,
  ...Object.entries(SIGNAL_NUMBERS).reverse().map(([name, number]) => [number, name] as const),
]);
