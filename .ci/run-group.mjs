// Runs one program as the leader of a process group, so that nothing it started outlives it.
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";

/** How many of the last lines are shown of a run that reached its time limit: they tell where. */
const LAST_LINES = 20;
const INTERRUPTS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Run to the end, and hand back what was printed.
 *
 * @param options `shown` says which lines are passed through, all of them unless it is given, and
 * `print` takes those, and prints them unless it is given.
 * @returns {Promise<{ code: number, output: string }>} 124 when the time limit was reached.
 */
export function run(file, args, { cwd, env, limitMs, shown = () => true, print = console.log }) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    let late = false;
    const killGroup = () => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // Nobody is left in the group.
      }
    };
    const timer = setTimeout(() => {
      late = true;
      killGroup();
    }, limitMs);
    const interrupted = (_signal, number) => process.exit(128 + number);
    for (const signal of INTERRUPTS) process.once(signal, interrupted);
    // Before what it writes to is removed.
    process.prependOnceListener("exit", killGroup);
    const take = (line) => {
      output += `${line}\n`;
      if (shown(stripVTControlCharacters(line))) print(line);
    };
    createInterface({ input: child.stdout }).on("line", take);
    createInterface({ input: child.stderr }).on("line", take);
    const done = (code) => {
      clearTimeout(timer);
      for (const signal of INTERRUPTS) process.off(signal, interrupted);
      process.off("exit", killGroup);
      resolve({ code, output });
    };
    child.on("error", (cause) => {
      print(`Cannot run "${file}": ${cause.message}`);
      done(127);
    });
    // Whoever is left of the group would hold the pipes open, and `close` back.
    child.on("exit", () => setTimeout(killGroup, 200).unref());
    child.on("close", (code, signal) => {
      if (late) {
        print(output.split("\n").slice(-LAST_LINES).join("\n"));
        print(`Cannot wait for "${file}": it ran longer than ${Math.round(limitMs / 1000)} s`);
      } else if (signal) print(`"${file}" was ended by ${signal}`);
      done(late ? 124 : code ?? 1);
    });
  });
}
