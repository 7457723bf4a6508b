// Runs the tests.
//
//     npm test [-- PART ...]         all test files, or those with a part in their name, on Node and Deno
//     npm run test:fast [-- PART ...] pure logic alone, on Node, with a part of the large corpora
//     -- --changed                   of these, the files that a change since HEAD can affect
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { affectedBy, changedFiles } from "./changed.mjs";
import { compileTests } from "./compile-tests.mjs";
import { denoEnv, denoFile } from "./deno.mjs";
import { run } from "./run-group.mjs";

const cwd = fileURLToPath(new URL("..", import.meta.url));
/** For compiling: far more than it needs, as a slow or busy machine is no failure. */
const LIMIT_MS = 5 * 60_000;
/** Whether tests have their full size, which takes many times as long. */
const FULL = process.env.SHELLFLOW_FULL_TESTS !== undefined;
/** For one program, so that one that hangs is named. */
const FILE_LIMIT_MS = (FULL ? 40 : 4) * 60_000;
/** Folders whose tests start no process and touch no file beyond a temporary one. */
const PURE = [
  "layers.test.ts",
  "manifest.test.ts",
  "command",
  "env",
  "event",
  "notification",
  "permission",
  "screen",
  "session",
  "shell",
  "stream",
  "task",
  "text",
  "tool",
];
/** Test files in these folders that start processes all the same. */
const PROCESSES = /\.process\.test\.ts$/;
/** Others that are over before a program of their own would have begun. */
const QUICK =
  /^test\/(?:control|runtime\/permission|platform\/shell|platform\/(?:directories|find-program)|platform\/process\/(?:o\w+-|proc-table|stop-)|output\/(?:b|ch|r)|runtime\/live|runtime\/state\/idle|execution\/(?:drain|process-tree)|pipeline)\b/;
/**
 * What the command line, the watchdog and shells with a line of their own do is the same whichever
 * runtime started them. Deno starts them in the tests that are not named here, and in these where
 * SHELLFLOW_FULL_TESTS is set.
 */
const NODE_ALONE =
  /^(?:cli\/(?:serve|session|session-life|state)|platform\/process\/watchdog|execution\/shell\/(?:confusion|random-scripts|shadowing))\.test$/;

const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const parts = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const fast = flags.includes("--fast");
if (fast) process.env.SHELLFLOW_FAST_TESTS = "1";

const all = readdirSync(join(cwd, "test"), { recursive: true })
  .map((name) => `test/${String(name).replaceAll("\\", "/")}`)
  .filter((name) => name.endsWith(".test.ts"))
  .filter((name) => !fast || isPure(name))
  .filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)))
  .sort();
const files = flags.includes("--changed") ? affectedBy(changedFiles(cwd), all, cwd) : all;

function isPure(name) {
  return PURE.includes(name.split("/")[1]) && !PROCESSES.test(name);
}

/** Passed tests are shown where someone watches; in a record they would bury the failed ones. */
const watched = process.stdout.isTTY === true;
/** Programs that run at once: many of them wait for processes. */
const LANES = Math.ceil(2.5 * availableParallelism());

/**
 * The test files of each program, by its name. Those of pure logic are two programs, and the quick ones
 * are one, as loading a file takes longer than its tests do.
 */
function programsOf(files) {
  const pure = files.filter(isPure);
  const half = (of) => [`pure-${of + 1}.test`, pure.filter((_, i) => i % 2 === of)];
  const quick = files.filter((file) => !isPure(file) && QUICK.test(file));
  const others = files.filter((file) => !isPure(file) && !QUICK.test(file));
  return Object.fromEntries(
    [half(0), half(1), ["quick.test", quick], ...others.map((file) => [nameOf(file), [file]])]
      .filter(([, some]) => some.length > 0),
  );
}

function nameOf(file) {
  return file.replace(/^test\//, "").replace(/\.ts$/, "");
}

function nodeRun(name, path) {
  return {
    name: `${name} on Node`,
    file: process.execPath,
    args: ["--enable-source-maps", "--test-reporter=spec", path],
    env: {},
    isPassed: (line) => /^\s*[✔▶]|^ℹ /u.test(line),
    count: (output) => {
      const plain = stripVTControlCharacters(output);
      const count = (word) => Number(plain.match(new RegExp(`^ℹ ${word} (\\d+)$`, "m"))?.[1] ?? 0);
      return {
        passed: count("pass"),
        failed: count("fail") + count("cancelled"),
        skipped: count("skipped") + count("todo"),
        isEmpty: count("tests") + count("suites") === 0,
      };
    },
  };
}

/** Deno's own summary counts suites as tests; its JUnit report tells which names are suites. */
function denoRun(name, path, report) {
  return {
    name: `${name} on Deno`,
    file: denoFile(cwd),
    args: ["test", "-A", "--no-check", `--junit-path=${report}`, path],
    env: denoEnv(cwd),
    isPassed: (line) => /^\s*$|^running \d+ tests? from|\.\.\.( ok \(.*\))?$|^ok \| /.test(line),
    count: () => countReport(report),
  };
}

/** Run one program, and print what a person wants to know of it. */
async function runOne({ name, file, args, env, isPassed, count }) {
  const started = performance.now();
  const lines = [];
  const { code, output } = await run(file, args, {
    cwd,
    env,
    limitMs: FILE_LIMIT_MS,
    shown: (line) => watched || !isPassed(line),
    print: (line) => lines.push(line),
  });
  const total = honest(code, count(output));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const failed = total.failed > 0 ? `, ${total.failed} failed` : "";
  console.log([`${name}: ${total.passed} passed${failed} (${seconds} s)`, ...lines].join("\n"));
  return total;
}

function countReport(report) {
  const total = { passed: 0, failed: 0, skipped: 0, isEmpty: true };
  let xml = "";
  try {
    xml = readFileSync(report, "utf8");
  } catch {
    return total;
  }
  const cases = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g)];
  total.isEmpty = cases.length === 0;
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

/** A program that failed without naming a test, or has none, counts as one failed test. */
function honest(code, total) {
  const isWrong = code !== 0 || total.isEmpty;
  return isWrong && total.failed === 0 ? { ...total, failed: 1 } : total;
}

if (files.length === 0) {
  console.error(
    flags.includes("--changed")
      ? "No test file imports what has changed"
      : `Cannot run tests "${parts.join(" ")}": no test file has that in its name`,
  );
  process.exit(flags.includes("--changed") ? 0 : 1);
}
// Whatever the tests leave in the temporary directory goes with it.
const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
process.env.TMPDIR = scratch;
// Shells and interpreters that are driven as by a person keep their history at home.
const home = mkdtempSync(join(scratch, "home-"));
process.env.npm_config_userconfig ??= join(homedir(), ".npmrc");
process.env.npm_config_cache ??= join(homedir(), ".npm");
process.env.HOME = home;
const programs = programsOf(files);
const build = await compileTests(cwd, programs, LIMIT_MS);
if (build === undefined) {
  console.error("Cannot compile the tests");
  process.exit(1);
}
process.env.SHELLFLOW_TEST_BUILD = build;
const waiting = Object.keys(programs).flatMap((name, i) => {
  const path = join(build, "test", `${name}.js`);
  const onNode = nodeRun(name, path);
  const isAlone = fast || (NODE_ALONE.test(name) && !FULL);
  return isAlone ? [onNode] : [onNode, denoRun(name, path, join(scratch, `report-${i}.xml`))];
});
console.log(`${files.length} files, on Node ${process.versions.node}${fast ? "" : " and on Deno"}`);
// One listener of each kind for each program that runs.
process.setMaxListeners(LANES + 10);
const totals = [];
async function lane() {
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    totals.push(await runOne(one));
  }
}
await Promise.all(Array.from({ length: LANES }, lane));
const sum = (key) => totals.reduce((count, total) => count + total[key], 0);
const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
console.log(`\ntests: ${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
