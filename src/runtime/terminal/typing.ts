import { analyse } from "../../command/analyse.ts";
import type { Programs } from "../../command/program/programs.ts";
import type { CommandId, ShellState } from "../../event/command.ts";
import type { Concern } from "../../event/permission.ts";
import { defined } from "../../value/defined.ts";
import { shown } from "../../value/shown.ts";
import type { Executor } from "../../execution/executor.ts";
import { readAnswer } from "../../permission/answer.ts";
import { NO_ONE } from "../../permission/asker.ts";
import type { PermitOptions } from "../../permission/permit.ts";
import { systemPaths } from "../../platform/file/paths.ts";
import { messageOf } from "../../platform/failure.ts";
import { randomIds } from "../../platform/ids.ts";
import type { Task } from "../../task/task-view.ts";
import { readerOf, shellText } from "../permission/input-reader.ts";
import { judgeInput, unfinished } from "../permission/judge-input.ts";
import { InputError } from "./command-input.ts";

/** What judging input needs. */
export interface TypingOptions {
  readonly executor: Pick<Executor, "readers">;
  readonly permitOf: (commandId: CommandId) => PermitOptions;
  readonly home: string;
  readonly programs: Programs;
  /** What `BASH_ENV` defines in each bash, as it is now. */
  readonly bashEnv?: (() => ShellState | undefined) | undefined;
}

/** Keys that end a line without running it. */
// deno-lint-ignore no-control-regex -- keys are control characters
const LINE_ENDS = /[\x03\x04\x0c\x1a]/g;
/** Keys behind which a shell begins anew: an interrupt, and the end of a text on a line of its own. */
// deno-lint-ignore no-control-regex -- keys are control characters
const DISCARDS = /\x03|(?<=^|\n)\x04/;
/** What else is no text edits a line, completes it, or fetches an earlier one. */
// deno-lint-ignore no-control-regex -- keys are control characters
const EDITS = /[\x00-\x09\x0b-\x1f\x7f]/;
/** A longer line is not analysed. */
const MOST_LINE_CHARS = 20_000;

/** Judges what a model types into running commands, line by line. */
export class Typing {
  readonly #options: TypingOptions;
  /** What a command was given so far that is no whole line, or no whole command of a shell. */
  readonly #lines = new Map<CommandId, string>();
  readonly #asking = new Map<CommandId, AbortController>();
  /** Text is judged in the order in which it comes. */
  readonly #turns = new Map<CommandId, Promise<void>>();
  /** Commands whose input an answer allows until they end. */
  readonly #allowed = new Set<CommandId>();

  constructor(options: TypingOptions) {
    this.#options = options;
  }

  /** Judge text, and ask where that is the verdict. */
  async check(task: Task, text: string): Promise<void> {
    const { id } = task;
    if (this.#asking.has(id)) {
      throw new InputError(id, "denied", "a question about earlier input is open");
    }
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(() => this.#check(task, text));
    this.#turns.set(id, turn.catch(() => {}));
    await turn;
  }

  async #check(task: Task, text: string): Promise<void> {
    const { id, waitingForInput } = task;
    const readers = this.#readersOf(task);
    if (readers.length === 0) return void this.#lines.delete(id);
    const before = this.#lines.get(id) ?? "";
    const open = before.includes("\n");
    const lines = `${before}${text}`.split(DISCARDS)
      .map((part) => part.replaceAll(LINE_ENDS, "\n"));
    const hidden = waitingForInput?.password === true;
    const permit = this.#options.permitOf(id);
    const concerns: Concern[] = [];
    for (const [index, line] of lines.entries()) {
      if (line.trim() === "") continue;
      const continued = (open && index === 0) || permit.policy.mode === "bypass";
      concerns.push(...await this.#concerns(task, { line, readers, hidden, continued }, permit));
    }
    // What is denied is no part of what has no end, either: a signal could have ended that.
    if (open) await this.#concerns(task, { line: text, readers, hidden, continued: true }, permit);
    if (concerns.length > 0) {
      await this.#ask(task, { line: hidden ? "hidden input" : lines.join(""), concerns }, permit);
    }
    const last = lines.at(-1) ?? "";
    const { programs } = this.#options;
    const shell = readers.some((words) =>
      words === "unknown" || readerOf(words, programs) === "shell"
    );
    const rest = hidden
      ? ""
      : (shell && unfinished(last)) || last.slice(last.lastIndexOf("\n") + 1);
    if (rest === "") this.#lines.delete(id);
    else this.#lines.set(id, rest);
  }

  /** A shell drops what has no end yet. */
  discard(commandId: CommandId): void {
    this.#lines.delete(commandId);
  }

  forget(commandId: CommandId): void {
    this.#lines.delete(commandId);
    this.#turns.delete(commandId);
    this.#allowed.delete(commandId);
    this.#asking.get(commandId)?.abort();
  }

  /** What has to be decided about a line; each process that may read it counts. */
  async #concerns(
    { id, cwd = "/" }: Task,
    { line, readers, hidden, continued }: {
      readonly line: string;
      readonly readers: readonly Reader[];
      readonly hidden: boolean;
      readonly continued: boolean;
    },
    { policy, paths = systemPaths }: PermitOptions,
  ): Promise<readonly Concern[]> {
    const { home, programs, bashEnv } = this.#options;
    const long = line.length > MOST_LINE_CHARS;
    if (long && (policy.mode !== "bypass" || policy.deny.length > 0)) {
      throw new InputError(id, "denied", "a line of so many characters is not analysed");
    }
    if (long) return [];
    const concerns: Concern[] = [];
    for (const words of readers) {
      const known = words === "unknown" ? {} : { foreground: words };
      const facts = { cwd, home, paths, programs, ...defined({ state: bashEnv?.() }) };
      const verdict = await judgeInput({ text: line, continued, ...known }, policy, facts);
      if (verdict.decision === "deny") {
        throw new InputError(id, "denied", hidden ? "a rule denies it" : verdict.reason);
      }
      const edited = policy.mode !== "bypass" && EDITS.test(line)
        ? [{ reason: `what its keys make of the line is not known` }]
        : [];
      concerns.push(...verdict.decision === "ask" ? verdict.concerns : [], ...edited);
    }
    if (!hidden || concerns.length === 0) return concerns;
    return [{ reason: "it is hidden, and its reader could run it" }];
  }

  /**
   * The processes that take its input for more than data; in place of the shell of the line, the
   * programs of the line.
   */
  #readersOf({ id, command, cwd = "/" }: Task): readonly Reader[] {
    const { executor, home, programs } = this.#options;
    const read = (words: readonly string[]) => readerOf(words, programs) === "data" ? [] : [words];
    const ofText = (text: string): readonly Reader[] => {
      const { commands, certainty } = analyse(text, { cwd, home }, { programs });
      const all = commands.flatMap(({ argv }) => read(argv.map((word) => word ?? "")));
      return certainty === "complete" ? all : [...all, "unknown"];
    };
    const readers = executor.readers?.(id) ?? [];
    // Alone and without words, it is about to execute the shell.
    if (readers.length === 1 && readers[0]?.length === 0) return ofText(command);
    if (readers.length === 0) return ["unknown"];
    return readers.flatMap((words): readonly Reader[] => {
      if (words.length === 0) return ["unknown"];
      const text = shellText(words, programs);
      return text === undefined ? read(words) : ofText(text);
    });
  }

  async #ask(
    { id, sessionId, command, cwd = "/", origin, limits }: Task,
    { line, concerns }: { readonly line: string; readonly concerns: readonly Concern[] },
    { asker, ids }: PermitOptions,
  ): Promise<void> {
    if (this.#allowed.has(id)) return;
    const why = concerns[0]?.reason ?? "";
    if (asker === undefined) {
      throw new InputError(id, "denied", `${why}, and ${NO_ONE}`);
    }
    const most = { most: 60 };
    const question = new AbortController();
    // Also when the asker pays no heed to the signal.
    const withdrawn = new Promise<never>((_, reject) => {
      question.signal.addEventListener("abort", () => reject(question.signal.reason));
    });
    this.#asking.set(id, question);
    try {
      const answered = asker({
        askId: (ids ?? randomIds).next("ask"),
        commandId: id,
        order: { sessionId, command: line, cwd, dialect: "bash", origin, limits },
        typedInto: command,
        summary: `Type "${shown(line, most)}" into "${shown(command, most)}"? ${shown(why)}`,
        concerns,
        suggestions: [],
      }, question.signal);
      const answer = readAnswer(await Promise.race([answered, withdrawn]));
      if (answer.type === "deny") {
        const said = answer.reason === undefined ? "" : ` (${answer.reason})`;
        throw new InputError(id, "denied", `the answer was no${said}: ${why}`);
      }
      if (answer.type !== "once") this.#allowed.add(id);
    } catch (cause) {
      if (question.signal.aborted) {
        throw new InputError(id, "notRunning", "it ended before the answer came");
      }
      if (cause instanceof InputError) throw cause;
      const reason = `${why}, and the question could not be asked: ${messageOf(cause)}`;
      throw new InputError(id, "denied", reason, cause);
    } finally {
      this.#asking.delete(id);
    }
  }
}

/** The words of a program that reads input. */
type Reader = readonly string[] | "unknown";
