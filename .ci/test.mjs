// Runs the tests.
//
//     npm test [-- PART ...]         all test files, or those with a part in their name, on Node and Deno
//     npm run test:fast [-- PART ...] pure logic alone, on Node
//     -- --changed                   of these, the files that a change since HEAD can affect
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { affectedBy, changedFiles } from "./changed.mjs";
import { compileTests } from "./compile-tests.mjs";
import { denoEnv, denoFile } from "./deno.mjs";
import { run } from "./run-group.mjs";

const cwd = fileURLToPath(new URL("..", import.meta.url));
/**
 * For both runtimes side by side: far more than they need, as a slow or busy machine is no failure. A
 * test that hangs meets the limit of its own.
 */
const LIMIT_MS = 20 * 60_000;
/** For one file on Node, so that a file that hangs is named. */
const FILE_LIMIT_MS = 3 * 60_000;
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

const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const parts = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const fast = flags.includes("--fast");

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
const PASSED_ON_NODE = /^\s*[✔▶]/u;
const PASSED_ON_DENO = /^\s*$|^running \d+ tests? from|\.\.\.( ok \(.*\))?$/;

const NODE_ARGS = ["--enable-source-maps"];
/** Test files that Node runs at once: Deno, which runs them one after the other, has its share. */
const AT_ONCE = fast ? availableParallelism() : Math.max(1, Math.floor(availableParallelism() / 2));

/**
 * What is run for some test files. Those of pure logic are two programs, one for each of two processors,
 * as loading a file takes longer than its tests do.
 *
 * @param pathOf The path of a test file on this runtime.
 * @param folder Where the programs are written.
 * @param extension That of this runtime's programs.
 */
function programsOf(files, pathOf, folder, extension) {
  const pure = files.filter(isPure).map((file) => pathToFileURL(pathOf(file)).href);
  const programs = [0, 1].flatMap((half) => {
    const imports = pure.filter((_, i) => i % 2 === half).map((url) => `import "${url}";\n`);
    if (imports.length === 0) return [];
    const program = join(folder, `pure-${half}.test.${extension}`);
    writeFileSync(program, imports.join(""));
    return [program];
  });
  return [...programs, ...files.filter((file) => !isPure(file)).map(pathOf)];
}

/** Node 20 expands no globs, so it gets the list. */
async function onNode(build) {
  const args = [...NODE_ARGS, "--test", "--test-reporter=spec", `--test-concurrency=${AT_ONCE}`];
  const limit = `--test-timeout=${FILE_LIMIT_MS}`;
  const compiled = (file) => join(build, file.replace(/\.ts$/, ".js"));
  const programs = programsOf(files, compiled, join(build, "test"), "js");
  const { code, output } = await run(process.execPath, [...args, limit, ...programs], {
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
async function onDeno(build, print) {
  const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
  try {
    const report = join(scratch, "report.xml");
    const source = (file) => join(cwd, file);
    const programs = programsOf(files, source, scratch, "ts");
    const { code } = await run(
      denoFile(cwd),
      ["test", "-A", "--no-check", `--junit-path=${report}`, ...programs],
      {
        cwd,
        limitMs: LIMIT_MS,
        env: { ...denoEnv(cwd), SHELLFLOW_TEST_BUILD: build },
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
  console.error(
    flags.includes("--changed")
      ? "No test file imports what has changed"
      : `Cannot run tests "${parts.join(" ")}": no test file has that in its name`,
  );
  process.exit(flags.includes("--changed") ? 0 : 1);
}
// Shells and interpreters that are driven as by a person keep their history at home.
const home = mkdtempSync(join(tmpdir(), "shellflow-home-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));
process.env.npm_config_userconfig ??= join(homedir(), ".npmrc");
process.env.npm_config_cache ??= join(homedir(), ".npm");
process.env.HOME = home;
const build = await compileTests(cwd, LIMIT_MS);
if (build === undefined) {
  console.error("Cannot compile the tests");
  process.exit(1);
}
const totals = fast ? [await onNode(build)] : await onBoth(build);
const sum = (key) => totals.reduce((count, total) => count + total[key], 0);
const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
console.log(`\ntests: ${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
process.exitCode = sum("failed") > 0 ? 1 : 0;

async function onBoth(build) {
  console.log(`${files.length} files, on Node ${process.versions.node} and on Deno at once`);
  const fromDeno = [];
  const denoTotal = onDeno(build, (line) => fromDeno.push(line));
  const totals = [await onNode(build), await denoTotal];
  console.log(fromDeno.join("\n"));
  return totals;
}
