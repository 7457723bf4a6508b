/**
 * What embedding costs, as a program that installs the package pays it: each figure from fresh
 * processes that load the packed package, beside a plain program in a process of its own.
 *
 *     node --import tsx bench/embedding.bench.ts [runs of each, 5 when absent]
 *     deno run -A bench/embedding.bench.ts [runs of each]
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { atEnd, benchArguments } from "./arguments.ts";
import { median, table } from "./harness.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ON_DENO = "Deno" in globalThis;
const { numbers: [RUNS = 0] } = benchArguments({ "runs of each": 5 });

/** What a case answers, and the time from its close to its exit; absent figures are not a number. */
interface Figures {
  readonly cpuMs: number;
  readonly mb: number;
  readonly firstMs: number;
  readonly medianMs: number;
  readonly ms: number;
  readonly closedMs: number;
  readonly exitMs: number;
}

const home = mkdtempSync(join(tmpdir(), "shellflow-embedding-"));
atEnd(() => rmSync(home, { recursive: true, force: true }));
install();
process.stdout.write(
  `${
    table(
      [`fresh processes on ${ON_DENO ? "Deno" : "Node"}`, "measured", "bare", "wanted"],
      rows(),
    )
  }\n`,
);

/** An empty project with the packed package and what it depends on. */
function install(): void {
  const npm = (...args: readonly string[]) =>
    execFileSync("npm", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  execFileSync(process.env["NODE"] ?? "node", [".ci/build.mjs"], { cwd: ROOT });
  const answer = npm("pack", "--ignore-scripts", "--json", "--pack-destination", home);
  const [packed]: readonly { readonly filename: string }[] = JSON.parse(answer);
  const to = join(home, "node_modules/shellflow");
  mkdirSync(to, { recursive: true });
  execFileSync("tar", [
    "-xzf",
    join(home, packed?.filename ?? ""),
    "--strip-components=1",
    "-C",
    to,
  ]);
  // The optional part that spawning uses by default, and what every installation has.
  for (const name of ["rxjs", "tslib", "koffi", "@koromix"]) {
    symlinkSync(join(ROOT, "node_modules", name), join(home, "node_modules", name));
  }
  writeFileSync(join(home, "package.json"), `{"type":"module"}`);
  writeFileSync(join(home, "empty.mjs"), "");
  copyFileSync(join(ROOT, "bench/embedding/program.mjs"), join(home, "program.mjs"));
}

function rows(): readonly (readonly string[])[] {
  const { load, inHost } = each({ load: ["load"], inHost: ["load", "rxjs"] });
  const { bare, cold } = each({ bare: ["bareSpawns", "100"], cold: ["cold", "100"] });
  const many = each({ bare: ["bareSpawns", "1000"], cold: ["cold", "1000"] });
  const shell = each({
    bareEcho: ["bareShell", "echo hi"],
    echo: ["shell", "echo hi"],
    bareTrue: ["bareShell", "/bin/true"],
    true: ["shell", "/bin/true"],
  });
  const crowd = each({ bare: ["bareAtOnce", "200"], ours: ["atOnce", "200"] });
  const one = each({ bare: ["bareOne"], ours: ["one"] });
  const cli = wall({
    empty: [join(home, "empty.mjs")],
    run: [join(home, "node_modules/shellflow/dist/cli.js"), "run", "--", "true"],
  });
  const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
  const mb = (value: number) => `${value.toFixed(0)} MB`;
  const times = (value: number, baseline: number) => `${(value / baseline).toFixed(2)} times`;
  return [
    ["load: CPU", ms(load.cpuMs), "", "90 ms"],
    ["load: memory", mb(load.mb), "", "22 MB"],
    ["load in a host that has rxjs: CPU", ms(inHost.cpuMs), "", "30 ms"],
    ["first command, with createRuntime", ms(cold.firstMs), ms(bare.firstMs), "45 ms"],
    ["first 100 cold, median", times(cold.medianMs, bare.medianMs), ms(bare.medianMs), "1.05"],
    ["CPU of the host for each", ms(cold.cpuMs), ms(bare.cpuMs), "1.6 ms"],
    ["memory above bare after 100", mb(cold.mb - bare.mb), mb(bare.mb), "26 MB"],
    ["memory above bare after 1 000", mb(many.cold.mb - many.bare.mb), mb(many.bare.mb), "40 MB"],
    [
      "warm shell, first 100, echo hi",
      ms(shell.echo.medianMs),
      ms(shell.bareEcho.medianMs),
      "0.7 ms",
    ],
    [
      "warm shell, first 100, /bin/true",
      ms(shell.true.medianMs),
      ms(shell.bareTrue.medianMs),
      "1.8 ms",
    ],
    ["200 at once", times(crowd.ours.ms, crowd.bare.ms), ms(crowd.bare.ms), "1.3"],
    ["exit after one command", ms(one.ours.exitMs), ms(one.bare.exitMs), "50 ms more"],
    ["shellflow run -- true", times(cli.run, cli.empty), ms(cli.empty), "2"],
    ["installed without optional parts", mb(installedMb()), "", "20 MB"],
  ];
}

/** The median of each figure of each case, over interleaved fresh processes. */
function each<Name extends string>(
  cases: Readonly<Record<Name, readonly string[]>>,
): Readonly<Record<Name, Figures>> {
  return interleaved(cases, RUNS, measure, (runs) => {
    const of = (name: keyof Figures) => median(runs.map((figures) => figures[name] ?? Number.NaN));
    return {
      cpuMs: of("cpuMs"),
      mb: of("mb"),
      firstMs: of("firstMs"),
      medianMs: of("medianMs"),
      ms: of("ms"),
      closedMs: of("closedMs"),
      exitMs: of("exitMs"),
    };
  });
}

/** Milliseconds of programs as a whole. */
function wall<Name extends string>(
  programs: Readonly<Record<Name, readonly string[]>>,
): Readonly<Record<Name, number>> {
  const timed = (args: readonly string[]) => {
    const from = performance.now();
    const { status, stderr } = started(args);
    if (status !== 0) throw new Error(`Cannot measure "${args.join(" ")}":\n${stderr}`);
    return performance.now() - from;
  };
  return interleaved(programs, RUNS * 2, timed, median);
}

function interleaved<Name extends string, One, All>(
  cases: Readonly<Record<Name, readonly string[]>>,
  count: number,
  run: (args: readonly string[]) => One,
  together: (runs: readonly One[]) => All,
): Readonly<Record<Name, All>> {
  const found = new Map<string, One[]>(Object.keys(cases).map((name) => [name, []]));
  for (let i = 0; i < count; i++) {
    for (const [name, runs] of found) runs.push(run(cases[name as Name]));
  }
  const all = [...found].map(([name, runs]) => [name, together(runs)] as const);
  return Object.fromEntries(all) as Record<Name, All>;
}

/** Run a case in a fresh process. */
function measure(args: readonly string[]): Figures {
  const { stdout, stderr, status } = started([join(home, "program.mjs"), ...args]);
  const exitedMs = Date.now();
  if (status !== 0) throw new Error(`Cannot measure "${args.join(" ")}":\n${stderr}`);
  const figures: Figures = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  return { ...figures, exitMs: exitedMs - figures.closedMs };
}

function started(args: readonly string[]) {
  const before = ON_DENO ? ["run", "-A", "--no-check", "--node-modules-dir=manual"] : [];
  return spawnSync(process.execPath, [...before, ...args], { cwd: home, encoding: "utf8" });
}

/** What the package and all that it needs take on a disk. */
function installedMb(): number {
  const paths = ["shellflow", "rxjs", "tslib"].map((name) => join(home, "node_modules", name));
  const kb = execFileSync("du", ["-skLc", ...paths], { encoding: "utf8" });
  return Number.parseInt(kb.trimEnd().split("\n").at(-1) ?? "", 10) / 1024;
}
