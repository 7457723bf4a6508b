/**
 * What it takes to find out what a line runs, against parsing it and going through the tree: each in
 * a fresh process, the processor time of one analysis once all is compiled. Last, what stays in
 * memory after 100 000 different lines.
 *
 *     node --import tsx bench/analysis.bench.ts [pairs, 5 when absent]
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { forEachChild, parse, type SyntaxNode } from "unbash";
import { analyse } from "../src/command/analyse.ts";
import { ranCompiled } from "./compiled.ts";
import { interleaved, measure, median, ranCase, table } from "./harness.ts";

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
  bare: (name: string) => repeated(() => visit(parse(LINES[name] ?? ""))),
  memory: (lines: string) => {
    for (let i = 0; i < Number(lines); i++) {
      analyse(`cat ${i}.txt && rm -f "$x" ${i} > ${i}.log`, FACTS);
    }
    collect();
    return Promise.resolve({ heapMb: process.memoryUsage().heapUsed / 2 ** 20 });
  },
};

if (!await ranCase(cases)) {
  const pairs = Number(process.argv[2] ?? 5);
  const each = (facts: Readonly<Record<string, number | string>>) => Number(facts["microseconds"]);
  const rows = Object.entries(LINES).map(([name, line]) => {
    const { ours, baseline } = interleaved(
      pairs,
      () => measure(self, "analyse", name),
      () => measure(self, "bare", name),
    );
    const [own, bare] = [ours, baseline].map((all) => median(all.map(({ facts }) => each(facts))));
    const ratio = median(
      ours.map(({ facts }, i) => each(facts) / each(baseline[i]?.facts ?? {})),
    );
    return [`${line.length} characters`, own, bare, ratio].map((cell) =>
      typeof cell === "number" ? cell.toFixed(1) : cell ?? ""
    );
  });
  print(table(["one analysis", "microseconds", "parse and walk alone", "times"], rows));
  const heaps = [10_000, 110_000].map((lines) => {
    const { facts } = measure(self, "memory", String(lines));
    return `${Number(facts["heapMb"]).toFixed(1)} MB after ${lines}`;
  });
  print(`\nheap in use: ${heaps.join(", ")} different lines`);
}

/** The processor time of one call, once all is compiled. */
function repeated(call: () => void): Promise<Readonly<Record<string, number>>> {
  const round = (ms: number) => {
    const before = process.cpuUsage();
    let times = 0;
    for (const end = performance.now() + ms; performance.now() < end; times++) call();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  };
  round(500);
  return Promise.resolve({ microseconds: round(1_000) });
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
