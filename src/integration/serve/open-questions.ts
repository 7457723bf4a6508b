import { type Observable, Subject } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { Answer, AskId, Concern } from "../../event/permission.ts";
import type { Asker } from "../../permission/asker.ts";

/** A question was asked, or withdrawn: it needs no answer any more. */
export type QuestionChange =
  | {
    readonly type: "asked";
    readonly askId: AskId;
    readonly taskId: CommandId;
    readonly command: string;
    readonly cwd: string;
    /** The line of the running command that `command` would be typed into. */
    readonly typedInto?: string;
    /** Why it is a question. */
    readonly concerns: readonly Concern[];
    /** The rules that the answers `session` and `always` add. */
    readonly suggestions: readonly string[];
  }
  | { readonly type: "withdrawn"; readonly askId: AskId; readonly taskId: CommandId };

/** Questions of a runtime that wait for an answer from elsewhere. */
export class OpenQuestions {
  readonly #open = new Map<AskId, (answer: Answer) => void>();
  #closed = false;
  readonly #changes: Subject<QuestionChange> = new Subject();
  /** Emits each question, and each withdrawal. */
  readonly changes: Observable<QuestionChange> = this.#changes.asObservable();

  /** Emits the question and waits for its answer; without a subscriber, or once closed, it rejects, which denies. */
  readonly ask: Asker = (question, signal) => {
    const { askId, commandId: taskId, order, typedInto, concerns, suggestions } = question;
    if (this.#closed) return Promise.resolve(NOBODY);
    if (!this.#changes.observed) return Promise.reject(new Error("there is no client to ask"));
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#open.delete(askId);
        signal.removeEventListener("abort", withdrawn);
      };
      const withdrawn = () => {
        settle();
        this.#changes.next({ type: "withdrawn", askId, taskId });
        reject(new Error("the question was withdrawn"));
      };
      this.#open.set(askId, (answer) => {
        settle();
        resolve(answer);
      });
      signal.addEventListener("abort", withdrawn, { once: true });
      const { command, cwd } = order;
      const what = { taskId, command, cwd, ...(typedInto !== undefined && { typedInto }) };
      this.#changes.next({ type: "asked", askId, ...what, concerns, suggestions });
    });
  };

  /** Answer a question; `false` when it is not open. */
  answer(askId: AskId, answer: Answer): boolean {
    const resolve = this.#open.get(askId);
    resolve?.(answer);
    return resolve !== undefined;
  }

  /** No answer can come any more: deny what is open, and all that follows. */
  close(): void {
    this.#closed = true;
    for (const answer of [...this.#open.values()]) answer(NOBODY);
  }
}

const NOBODY: Answer = { type: "deny", reason: "the client has ended its input" };
