// Runs the same test files on Node and on Deno. Arguments: parts of file names to choose by.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { denoEnv, denoFile } from "./deno.mjs";
import { run } from "./run-group.mjs";

const cwd = fileURLToPath(new URL("..", import.meta.url));
/** For both runtimes side by side; with the gate they fit into a quarter of an hour. */
const LIMIT_MS = 13 * 60_000;
/** For one file on Node, so that one that hangs is named. */
const FILE_LIMIT_MS = 4 * 60_000;

const wanted = process.argv.slice(2);
const files = readdirSync(join(cwd, "test"), { recursive: true })
  .map((name) => `test/${String(name).replaceAll("\\", "/")}`)
  .filter((name) => name.endsWith(".test.ts"))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .sort();

/** What passed is shown to who watches; in a record it would bury what failed. */
const watched = process.stdout.isTTY === true;
const PASSED_ON_NODE = /^\s*[✔▶]/u;
const PASSED_ON_DENO = /^\s*$|^running \d+ tests? from|\.\.\.( ok \(.*\))?$/;

/**
 * What the tests start on Node as programs of their own, compiled once: loaded by tsx, each start
 * takes twice as long, and there are some hundred.
 */
const build = join(cwd, "node_modules/.cache", `shellflow-test-${process.pid}`);

async function compile() {
  const form = ["--noCheck", "--noEmit", "false", "--rewriteRelativeImportExtensions"];
  const tsc = [join(cwd, "node_modules/typescript/bin/tsc"), "-p", "test", ...form];
  const { code } = await run(process.execPath, [...tsc, "--outDir", build], {
    cwd,
    limitMs: LIMIT_MS,
  });
  if (code === 0) copyFileSync(join(cwd, "package.json"), join(build, "package.json"));
  return code === 0;
}

/** To optimise the grammar takes each file that parses a line more than it gains. */
const NODE_ARGS = ["--wasm-tiering-budget=2000000000", "--import", "tsx"];

/** Node 20 expands no globs, so it gets the list. */
async function onNode() {
  const args = [...NODE_ARGS, "--test", "--test-reporter=spec", "--test-concurrency=2"];
  const limit = `--test-timeout=${FILE_LIMIT_MS}`;
  const { code, output } = await run(process.execPath, [...args, limit, ...files], {
    cwd,
    env: { SHELLFLOW_TEST_BUILD: build },
    limitMs: LIMIT_MS,
    shown: (line) => watched || !PASSED_ON_NODE.test(line),
  });
  const count = (name) =>
    Number(stripVTControlCharacters(output).match(new RegExp(`^ℹ ${name} (\\d+)$`, "m"))?.[1] ?? 0);
  return honest(code, {
    passed: count("pass"),
    failed: count("fail") + count("cancelled"),
    skipped: count("skipped") + count("todo"),
  });
}

/** Deno's own summary counts suites as tests; its JUnit report tells which names are suites. */
async function onDeno(print) {
  const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
  try {
    const report = join(scratch, "report.xml");
    const { code } = await run(
      denoFile(cwd),
      ["test", "-A", "--no-check", `--junit-path=${report}`, ...files],
      {
        cwd,
        limitMs: LIMIT_MS,
        env: denoEnv(cwd),
        shown: (line) => watched || !PASSED_ON_DENO.test(line),
        print,
      },
    );
    return honest(code, countReport(report));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function countReport(report) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  let xml = "";
  try {
    xml = readFileSync(report, "utf8");
  } catch {
    return total;
  }
  const cases = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g)];
  const suites = new Set();
  for (const [, name] of cases) {
    const parts = name.split(" &gt; ");
    while (parts.pop() !== undefined) suites.add(parts.join(" &gt; "));
  }
  for (const [, name, body = ""] of cases) {
    if (suites.has(name)) continue;
    if (/<(failure|error)\b/.test(body)) total.failed++;
    else if (/<skipped\b/.test(body)) total.skipped++;
    else total.passed++;
  }
  return total;
}

/** A runner that failed without naming a test counts as one failed test. */
function honest(code, total) {
  return code !== 0 && total.failed === 0 ? { ...total, failed: 1 } : total;
}

if (files.length === 0) {
  console.error(`Cannot run tests "${wanted.join(" ")}": no test file has that in its name`);
  process.exit(1);
}
process.once("exit", () => rmSync(build, { recursive: true, force: true }));
if (!await compile()) {
  console.error("Cannot compile the tests");
  process.exit(1);
}
console.log(`${files.length} files, on Node ${process.versions.node} and on Deno at once`);
const fromDeno = [];
const denoTotal = onDeno((line) => fromDeno.push(line));
const totals = [await onNode(), await denoTotal];
console.log(fromDeno.join("\n"));
const sum = (key) => totals.reduce((count, total) => count + total[key], 0);
const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
console.log(`\ntests: ${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
