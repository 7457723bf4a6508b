import type { Leftover } from "../event/execution.ts";
import type {
  ProcessIdentity,
  ProcessInfo,
  Processes,
  ProcessTable,
} from "../platform/processes.ts";

/** The variable that marks every process of a command, also those that leave its process group. */
export const MARK = "SHELLFLOW_MARK";

/** By what the processes of a tree are known. */
export interface TreeMarks {
  /** The process that was started, the leader of the group and the session of its pid; absent: no single one. */
  readonly root?: ProcessIdentity;
  /** Whether a word in the value of {@linkcode MARK} is theirs; they carry it unless they cleared it. */
  readonly isMark: (mark: string) => boolean;
  /** Whether a link in /proc is their output; they hold it unless they closed it. */
  readonly isOutput?: (link: string) => boolean;
}

/**
 * The living processes of one command, or of a whole runtime, wherever they went.
 *
 * They are known by the group and session of the first one, by descent, by the mark in their
 * environment and by the output pipe that they hold. What sheds all of these is out of reach.
 */
export class ProcessTree {
  readonly #processes: Processes;
  readonly #marks: TreeMarks;
  /** Whoever was seen stays a member, also when it sheds its marks later. */
  readonly #seen = new Map<number, string | undefined>();
  #groupGone: boolean;

  constructor(processes: Processes, marks: TreeMarks) {
    this.#processes = processes;
    this.#marks = marks;
    this.#groupGone = marks.root === undefined;
    if (marks.root !== undefined) this.#seen.set(marks.root.pid, marks.root.startTime);
  }

  /** Whether the group has members; once empty, its number may come to belong to others and is not asked again. */
  get groupAlive(): boolean {
    const { root } = this.#marks;
    this.#groupGone ||= root === undefined || !this.#processes.signalGroup(root.pid, "0");
    return !this.#groupGone;
  }

  /** Find the members that live; a look through the whole process table. */
  members(): ProcessInfo[] {
    const { root } = this.#marks;
    const table = this.#processes.table();
    const all = table.all.filter((process) => mayBelong(process, root));
    const group = this.groupAlive ? root?.pid : undefined;
    const found = new Set<number>();
    for (const process of all) if (this.#isMember(process, group, table)) found.add(process.pid);
    const members = withDescendants(all, found);
    for (const { pid, startTime } of members) this.#seen.set(pid, startTime);
    return members;
  }

  /** Signal the group as a whole, and one by one the members that left it. */
  signal(name: string, members: readonly ProcessInfo[]): void {
    const group = this.groupAlive ? this.#marks.root?.pid : undefined;
    if (group !== undefined) this.#processes.signalGroup(group, name);
    for (const member of members) {
      if (member.group !== group) this.#processes.signal(member, name);
    }
  }

  /** Describe members for people. */
  describe(members: readonly ProcessIdentity[]): Leftover[] {
    return members.map(({ pid }) => ({ pid, command: this.#processes.commandLine(pid) }));
  }

  #isMember(
    { pid, group, session, startTime }: ProcessInfo,
    own: number | undefined,
    table: ProcessTable,
  ): boolean {
    if (own !== undefined && (group === own || session === own)) return true;
    if (this.#seen.has(pid) && this.#seen.get(pid) === startTime) return true;
    const { isMark, isOutput } = this.#marks;
    if (table.variable(pid, MARK)?.split(" ").some(isMark)) return true;
    return isOutput !== undefined && table.openFiles(pid).some(isOutput);
  }
}

/** Whoever started before the first process of the command is not of the command. */
function mayBelong({ state, startTime }: ProcessInfo, root: ProcessIdentity | undefined): boolean {
  if (state === "Z" || state === "X") return false;
  return startTime === undefined || root?.startTime === undefined ||
    Number(startTime) >= Number(root.startTime);
}

function withDescendants(all: readonly ProcessInfo[], found: Set<number>): ProcessInfo[] {
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid));
}
