#!/usr/bin/env node
import process from "node:process";
import { CommanderError } from "commander";
import { OutputGone, stdio } from "../platform/stdio.ts";
import { leaveWasmUnoptimised } from "../platform/wasm-code.ts";
import { program } from "./program.ts";

/** Our own failure, as opposed to the command's. */
const FAILED = 1;
const USAGE = 2;
/** What a shell reports of a program that wrote to nobody. */
const NOBODY_READS = 141;

leaveWasmUnoptimised();
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
  if (cause instanceof OutputGone) return NOBODY_READS;
  await stdio.err(`${cause instanceof Error ? cause.message : String(cause)}\n`).catch(() => {});
  return FAILED;
}
