#!/usr/bin/env node
import process from "node:process";
import { CommanderError } from "commander";
import { stdio } from "../platform/stdio.ts";
import { program } from "./program.ts";

/** Our own failure, as opposed to the command's. */
const FAILED = 1;
const USAGE = 2;

try {
  process.exitCode = await program(process.argv.slice(2));
} catch (cause) {
  process.exitCode = await explain(cause);
}
// What is left open must not hold the process: everything that matters was awaited.
process.exit();

async function explain(cause: unknown): Promise<number> {
  // Commander has told by itself what is wrong.
  if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : USAGE;
  await stdio.err(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  return FAILED;
}
