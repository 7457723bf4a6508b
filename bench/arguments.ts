import process from "node:process";

/** What the command line of a bench said. */
export interface BenchArguments {
  readonly numbers: readonly number[];
  readonly words: readonly string[];
}

/**
 * Read the command line of a bench: numbers first, then names of its parts. What is none of that ends
 * the program, with how it is called.
 *
 * @param numbers What each number means, and its value when it is absent.
 * @param words The names of the parts; all of them when none is given.
 */
export function benchArguments(
  numbers: Readonly<Record<string, number>>,
  words: readonly string[] = [],
): BenchArguments {
  const given = process.argv.slice(2);
  const values = Object.values(numbers);
  const end = given.findIndex((text) => !/^[1-9]\d*$/.test(text));
  const leading = given.slice(0, end < 0 ? given.length : end).slice(0, values.length);
  const rest = given.slice(leading.length);
  const wrong = rest.find((text) => !words.includes(text));
  if (wrong !== undefined) refuse(wrong, usageOf(numbers, words));
  return {
    numbers: values.map((value, i) => Number(leading[i] ?? value)),
    words: rest.length > 0 ? rest : words,
  };
}

function usageOf(numbers: Readonly<Record<string, number>>, words: readonly string[]): string {
  const all = Object.entries(numbers).map(([name, value]) => `[${name}, ${value} when absent]`);
  return [...all, ...(words.length === 0 ? [] : [`[${words.join(" | ")} ...]`])].join(" ");
}

function refuse(text: string, usage: string): never {
  if (text === "--help") {
    process.stdout.write(`Arguments: ${usage}\n`);
    process.exit(0);
  }
  process.stderr.write(`Cannot use the argument "${text}"; arguments: ${usage}\n`);
  process.exit(2);
}

/** Clean up at the end of this process, also when a signal asks for it. */
export function atEnd(cleanUp: () => void): void {
  process.on("exit", cleanUp);
  for (const [signal, code] of [["SIGHUP", 129], ["SIGINT", 130], ["SIGTERM", 143]] as const) {
    process.on(signal, () => process.exit(code));
  }
}
