/**
 * What it takes to find out what a line runs, against parsing it and going through the tree alone,
 * with each of the two parsers: each in a fresh process, the processor time of one line once all is
 * compiled. Last, what stays in memory after 100 000 different lines.
 *
 *     node --import tsx bench/analysis.bench.ts [pairs, 5 when absent]
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { forEachChild, parse, type SyntaxNode } from "unbash";
import { analyse } from "../src/command/analyse.ts";
import { bashGrammar } from "../src/platform/grammar.ts";
import { benchArguments } from "./arguments.ts";
import { ranCompiled } from "./compiled.ts";
import { measure, median, ranCase, table } from "./harness.ts";

if (ranCompiled(import.meta.url)) process.exit();

const self = fileURLToPath(import.meta.url);
const FACTS = { cwd: "/workspace" };

/** Lines of about 20, 300 and 10 000 characters. */
const LINES: Readonly<Record<string, string>> = {
  short: "ls -la src | head -5",
  usual:
    `cd src && for f in *.ts; do if grep -q TODO "$f"; then echo "$f: $(grep -c TODO "$f")" >> ../todo.txt; fi; ` +
    `done; npm test -- --grep "parse stage" 2>&1 | tee ../log.txt | tail -20; git add -A && ` +
    `git commit -m "Fix the parser" && git log --oneline -3 | cat; test -f x && rm -f x`,
  long: Array.from(
    { length: 200 },
    (_, i) => `echo "line ${i}" > out/${i}.txt && cp src/${i} dist/`,
  ).join("\n"),
};

const cases = {
  analyse: (name: string) => repeated(() => void analyse(LINES[name] ?? "", FACTS)),
  unbash: (name: string) => repeated(() => visit(parse(LINES[name] ?? ""))),
  treeSitter: async (name: string) => {
    const grammar = await bashGrammar.load();
    return await repeated(() => void grammar.find(LINES[name] ?? ""));
  },
  memory: (lines: string) => {
    for (let i = 0; i < Number(lines); i++) {
      analyse(`cat ${i}.txt && rm -f "$x" ${i} > ${i}.log`, FACTS);
    }
    collect();
    return Promise.resolve({ heapMb: process.memoryUsage().heapUsed / 2 ** 20 });
  },
};

if (!await ranCase(cases)) {
  const { numbers: [pairs = 0] } = benchArguments({ pairs: 5 });
  const rows = Object.entries(LINES).map(([name, line]) => {
    const measured = ["analyse", "unbash", "treeSitter"].map(() => [] as number[]);
    for (let pair = 0; pair < pairs; pair++) {
      for (const [i, what] of ["analyse", "unbash", "treeSitter"].entries()) {
        measured[i]?.push(Number(measure(self, what, name).facts["microseconds"]));
      }
    }
    const [own = 0, unbash = 0, treeSitter = 0] = measured.map(median);
    const times = own / treeSitter;
    return [
      `${line.length} characters`,
      ...[own, unbash, treeSitter, times].map((n) => n.toFixed(1)),
    ];
  });
  const titles = ["one line", "analysis, us", "unbash, us", "tree-sitter, us", "times tree-sitter"];
  print(table(titles, rows));
  const heaps = [10_000, 110_000].map((lines) => {
    const { facts } = measure(self, "memory", String(lines));
    return `${Number(facts["heapMb"]).toFixed(1)} MB after ${lines}`;
  });
  print(`\nheap in use: ${heaps.join(", ")} different lines`);
}

/** The processor time of one call, once all is compiled, which takes the longer the busier the machine is. */
function repeated(call: () => void): Promise<Readonly<Record<string, number>>> {
  const round = (ms: number) => {
    const before = process.cpuUsage();
    let times = 0;
    for (const end = performance.now() + ms; performance.now() < end; times++) call();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  };
  round(2_000);
  const rounds = Array.from({ length: 5 }, () => round(1_000));
  return Promise.resolve({ microseconds: Math.min(...rounds) });
}

function visit(node: SyntaxNode): void {
  forEachChild(node, visit);
}

function collect(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
