#!/usr/bin/env node
import process from "node:process";
import { stdio } from "../platform/stdio.ts";
import { runCli } from "./command-line.ts";

process.exitCode = await runCli(process.argv.slice(2), stdio);
// Everything that matters was awaited: what is left open must not hold the process.
process.exit();
