import { analyse } from "../command/analyse.ts";
import type { AnalysisFacts } from "../command/facts.ts";
import { BUILT_IN, type Programs } from "../command/program/programs.ts";
import { shown } from "../event/shown.ts";
import { judge, type JudgeFacts } from "../permission/judge.ts";
import type { Policy } from "../permission/policy.ts";
import { passed, stopped, type Verdict } from "../permission/verdict.ts";

/** Text that is to be written to a running command, and what reads it. */
export interface InputRequest {
  readonly text: string;
  /**
   * The words of the program that reads the terminal, such as `["python3", "-i"]`; `"prompt"`: the
   * shell itself waits for a command; absent: not known.
   */
  readonly foreground?: readonly string[] | "prompt";
}

/** What input is judged by. */
export interface InputFacts extends AnalysisFacts, JudgeFacts {
  readonly programs?: Programs;
}

/**
 * Decide about text for a running command.
 *
 * Text for a shell is a command: it is analysed and judged like one. Text for an interpreter runs code,
 * so it is a question. An idle prompt takes no input: commands are run, not typed. What other programs
 * read is data.
 *
 * @example Input for a shell is a command
 * ```ts
 * import { createPolicy, judgeInput, systemPaths } from "shellflow";
 *
 * const policy = createPolicy({ rules: { allow: ["Bash(*)"], deny: ["Bash(rm *)"] } });
 * const facts = { cwd: "/ws", paths: systemPaths };
 * const { decision } = judgeInput({ text: "rm -rf x\n", foreground: ["bash"] }, policy, facts);
 * if (decision !== "deny") throw new Error("unexpected");
 * ```
 */
export function judgeInput(
  { text, foreground }: InputRequest,
  policy: Policy,
  { programs = BUILT_IN, ...facts }: InputFacts,
): Verdict {
  const typed = shown(text, { most: 60 });
  const stop = (reason: string) => {
    const decision = policy.mode === "plan" || policy.mode === "dontAsk" ? "deny" : "ask";
    return stopped(decision, [{ reason }]);
  };
  if (foreground === "prompt") {
    const reason = `the shell waits for a command: run "${typed}" instead of typing it`;
    return stopped("deny", [{ reason }]);
  }
  const reader = foreground === undefined ? "unknown" : readerOf(foreground, programs);
  if (reader === "data") {
    return passed({ by: "mode", reason: `"${foreground?.[0]}" reads it as data`, rules: [] });
  }
  const verdict = judge(analyse(text.replace(/[\r\n]+$/, ""), facts, { programs }), policy, facts);
  // What is denied as a command is denied for everything that could run it.
  if (reader === "shell" || verdict.decision === "deny" || policy.mode === "bypass") return verdict;
  return stop(
    reader === "unknown"
      ? `it is not known what reads "${typed}"`
      : `"${foreground?.[0]}" runs "${typed}"`,
  );
}

/** What a program takes its input for. */
export function readerOf(words: readonly string[], programs: Programs): "shell" | "code" | "data" {
  const found = programs.find(
    words.map((word, index) => index === 0 ? word.replace(/^-/, "") : word),
  );
  if (found === undefined) return "data";
  const { program, words: rest } = found;
  // A script reads data, unless it is asked to be interactive.
  const script = rest.some((word) => !word.startsWith("-")) &&
    !rest.some((word) => /^-\w*[is]/.test(word));
  if (program.syntax === "shell") return script ? "data" : "shell";
  if (program.syntax === "language") return script ? "data" : "code";
  const interactive = program.dangers?.some(({ name }) =>
    /^(?:interactive|privilege|sends-data|shell)$/.test(name)
  );
  return interactive || CONSOLES.test(found.name) ? "code" : "data";
}

/** Programs whose own commands run others, or change what is kept. */
const CONSOLES =
  /^(?:psql|sqlite3|mysql|mariadb|mongo|mongosh|redis-cli|docker|podman|kubectl|parallel|xargs|at|batch)$/;
