import type { Answer, AskId } from "../../../event/permission.ts";
import type { Asker } from "../../../permission/asker.ts";
import type { RunNews } from "./run-protocol.ts";

/** Questions that somebody in another process thinks about. */
export class Questions {
  readonly #open = new Map<AskId, (answer: Answer) => void>();

  /** Ask by telling; the answer comes by {@linkcode Questions.answer}. */
  asker(tell: (news: RunNews) => Promise<void>): Asker {
    return ({ askId, order, concerns }, signal) =>
      new Promise((resolve, reject) => {
        const over = () => {
          this.#open.delete(askId);
          signal.removeEventListener("abort", withdrawn);
        };
        const withdrawn = () => {
          over();
          tell({ type: "withdrawn", askId }).catch(() => {});
          reject(new Error("the question was withdrawn"));
        };
        this.#open.set(askId, (answer) => {
          over();
          resolve(answer);
        });
        signal.addEventListener("abort", withdrawn, { once: true });
        const { command, cwd } = order;
        tell({ type: "asked", askId, command, cwd, concerns }).catch((cause: unknown) => {
          over();
          reject(cause);
        });
      });
  }

  /**
   * Answer a question.
   *
   * @throws {Error} When it is not open any more.
   */
  answer(askId: AskId, answer: Answer): void {
    const resolve = this.#open.get(askId);
    if (resolve === undefined) {
      throw new Error(`Cannot answer question "${askId}": it is not open any more`);
    }
    resolve(answer);
  }
}
