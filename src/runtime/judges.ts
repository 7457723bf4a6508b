import type { CommandId } from "../event/command.ts";
import type { Asker } from "../permission/asker.ts";
import type { Mode } from "../permission/mode.ts";
import type { PermitOptions } from "../permission/permit.ts";
import { createPolicy } from "../permission/policy.ts";
import type { RuleLists } from "./options.ts";

/** What may run, for one command alone, instead of what the runtime says about all others. */
export interface Permission {
  /** Default: no rule. What no rule covers is asked about. */
  readonly rules?: RuleLists;
  /** How what no rule decides is judged; default `default`, which asks. */
  readonly mode?: Mode;
  /** What the command may write to without being asked about it, as an absolute path; default where it runs. */
  readonly workspace?: string;
  /** Whom to ask; default nobody, and then what would be asked is denied. */
  readonly ask?: Asker;
}

/** By what each command is judged: what it brought, or else what the runtime says. */
export class Judges {
  readonly #own: PermitOptions;
  readonly #home: string | undefined;
  readonly #brought = new Map<CommandId, PermitOptions>();

  constructor(own: PermitOptions, { home }: { readonly home?: string } = {}) {
    this.#own = own;
    this.#home = home;
  }

  /** By what a command is to be judged. */
  readonly of = (commandId: CommandId): PermitOptions => this.#brought.get(commandId) ?? this.#own;

  /**
   * Read what a command brings.
   *
   * @returns How to judge a command by it, until it has ended.
   * @throws {Error} When a rule cannot be read, with its text.
   */
  read({ rules = {}, mode, workspace, ask }: Permission): (commandId: CommandId) => void {
    const { ids, paths } = this.#own;
    const policy = createPolicy({
      rules,
      ...(mode !== undefined && { mode }),
      ...(workspace !== undefined && { workspace }),
      ...(this.#home !== undefined && { home: this.#home }),
    });
    const judge: PermitOptions = {
      policy,
      ids,
      ...(paths !== undefined && { paths }),
      ...(ask !== undefined && { asker: ask }),
    };
    return (commandId) => void this.#brought.set(commandId, judge);
  }

  /**
   * Whether a leading `cd` of a command may become the directory that it runs in: not where a rule
   * has something to say about the `cd` itself.
   */
  readonly mayFold = (commandId: CommandId, directory: string): boolean => {
    const { deny, ask } = this.of(commandId).policy;
    return [...deny, ...ask].every((rule) => rule.match(["cd", directory]) === "no");
  };

  /** The command has ended. */
  forget(commandId: CommandId): void {
    this.#brought.delete(commandId);
  }
}
