import { analyse } from "../../command/analyse.ts";
import type { AnalysisFacts } from "../../command/facts.ts";
import { BUILT_IN, type Programs } from "../../command/program/programs.ts";
import { shown } from "../../value/shown.ts";
import { secondOpinion } from "../../command/second-opinion.ts";
import { readText } from "../../command/syntax.ts";
import { judge, type JudgeFacts } from "../../permission/judge.ts";
import { judgeTwice } from "../../permission/judge-twice.ts";
import type { Policy } from "../../permission/policy.ts";
import { passed, stopped, type Verdict } from "../../permission/verdict.ts";
import { keysOf, readerOf } from "./input-reader.ts";

/** Text that is to be written to a running command, and what reads it. */
export interface InputRequest {
  readonly text: string;
  /**
   * The words of the program that reads the terminal, such as `["python3", "-i"]`; `"prompt"`: the
   * shell itself waits for a command; absent: not known.
   */
  readonly foreground?: readonly string[] | "prompt";
  /** It may have no end, as what is written next will be judged together with it. */
  readonly continued?: boolean;
}

/** What input is judged by. */
export interface InputFacts extends AnalysisFacts, JudgeFacts {
  readonly programs?: Programs;
}

/**
 * Decide about text for a running command.
 *
 * Text for a shell is a command: it is analysed and judged like one, by both parsers. Text for an
 * interpreter runs code, so it is a question; so is `!ls` for a pager. An idle prompt takes no input:
 * commands are run, not typed. What other programs read is data.
 *
 * @example Input for a shell is a command
 * ```ts
 * import { createPolicy, judgeInput, systemPaths } from "shellflow";
 *
 * const policy = createPolicy({ rules: { allow: ["Bash(*)"], deny: ["Bash(rm *)"] } });
 * const facts = { cwd: "/ws", paths: systemPaths };
 * const { decision } = await judgeInput({ text: "rm -rf x\n", foreground: ["bash"] }, policy, facts);
 * if (decision !== "deny") throw new Error("unexpected");
 * ```
 */
export async function judgeInput(
  { text, foreground, continued = false }: InputRequest,
  policy: Policy,
  { programs = BUILT_IN, ...facts }: InputFacts,
): Promise<Verdict> {
  const typed = shown(text, { most: 60 });
  const stop = (reason: string) => {
    const asks = policy.mode === "default" || policy.mode === "acceptEdits";
    return stopped(asks ? "ask" : "deny", [{ reason }]);
  };
  if (foreground === "prompt") {
    const reason = `the shell waits for a command: run "${typed}" instead of typing it`;
    return stopped("deny", [{ reason }]);
  }
  const reader = foreground === undefined ? "unknown" : readerOf(foreground, programs);
  const command = text.replace(/\r\n?/g, "\n");
  const found = reader === "keys" ? programs.find(foreground ?? []) : undefined;
  const typing = found !== undefined && new RegExp(keysOf(found, programs) ?? "").test(command);
  if (reader === "data" || (reader === "keys" && !typing)) {
    return passed([], `"${foreground?.[0]}" reads it as data`);
  }
  const line = command.replace(/\n+$/, "");
  // What runs has the variables and arguments that it was started with, and those of earlier lines.
  const running = { state: {}, ...facts };
  const { verdict } = await judgeTwice(
    { order: { command: line }, analysis: analyse(line, running, { programs }) },
    {
      policy,
      judge: (analysis) => judge(analysis, policy, facts),
      secondOpinion: secondOpinion({ programs }),
    },
  );
  const free = policy.mode === "bypass" && policy.deny.length === 0;
  if (reader === "shell" && verdict.decision === "allow" && !free) {
    const doubt = !continued && unfinished(command) !== "" ? OPEN : historyDoubt(command);
    return doubt === undefined ? verdict : stop(doubt);
  }
  // What is denied as a command is denied for everything that could run it.
  if (reader === "shell" || verdict.decision === "deny" || policy.mode === "bypass") return verdict;
  return stop(
    reader === "unknown"
      ? `it is not known what reads "${typed}"`
      : `"${foreground?.[0]}" runs "${typed}"`,
  );
}

const OPEN = "a here-document or a line has no end, so what is typed next belongs to it";
const AFTER = ":end-of-input";

/** The end of a text for a shell that is no whole command yet; empty: there is none. */
export function unfinished(text: string): string {
  const whole = `${text.replace(/\n$/, "")}\n${AFTER}`;
  const last = readText(whole).script?.commands.at(-1)?.command;
  if (last?.type === "Command" && last.pos + AFTER.length === whole.length) return "";
  return text.slice(last?.pos ?? 0);
}

/** Why a shell could run something else than a text shows. */
function historyDoubt(text: string): string | undefined {
  // Single quotes count where nothing else could change what they quote.
  const bare = /["\\\n]|\$'/.test(text.trim()) ? text : text.replace(/'[^']*'/g, "");
  return /![^\s=(]|^\s*\^/m.test(bare)
    ? "a shell could put an earlier command in place of its `!` or `^`"
    : undefined;
}
