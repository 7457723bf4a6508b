import { constants } from "node:os";

/** The numbers that signals have on this machine, by name. */
export const SIGNAL_NUMBERS: Readonly<Record<string, number>> = constants.signals;
