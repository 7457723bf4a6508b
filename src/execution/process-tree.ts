import type { Leftover } from "../event/execution.ts";
import type { Processes, ProcessIdentity, ProcessInfo } from "../platform/processes.ts";

/** The variable that marks every process of a command, also those that leave its process group. */
export const MARK = "SHELLFLOW_MARK";

/** By what the processes of one command are known. */
export interface TreeMarks {
  /** The process that was started; it leads the group and the session of its pid. */
  readonly root: ProcessIdentity;
  /** Found in the value of {@linkcode MARK} of each of them, unless they cleared it. */
  readonly mark: string;
  /** The pipe that their output is, unless they closed it. */
  readonly outputPipe?: string;
}

/**
 * The living processes of one command, wherever they went.
 *
 * They are known by the group and session of the first one, by descent, by the mark in their
 * environment and by the output pipe that they hold. What sheds all of these is out of reach.
 */
export class ProcessTree {
  readonly #processes: Processes;
  readonly #marks: TreeMarks;
  /** Whoever was seen stays a member, also when it sheds its marks later. */
  readonly #seen = new Map<number, string | undefined>();
  #groupGone = false;

  constructor(processes: Processes, marks: TreeMarks) {
    this.#processes = processes;
    this.#marks = marks;
    this.#seen.set(marks.root.pid, marks.root.startTime);
  }

  /** Whether the group has members; once empty, its number may come to belong to others and is not asked again. */
  get groupAlive(): boolean {
    this.#groupGone ||= !this.#processes.signalGroup(this.#marks.root.pid, "0");
    return !this.#groupGone;
  }

  /** Find the members that live; a look through the whole process table. */
  members(): ProcessInfo[] {
    const { root, mark, outputPipe } = this.#marks;
    const all = this.#processes.list().filter((process) => mayBelong(process, root));
    const groupAlive = this.groupAlive;
    const found = new Set<number>();
    for (const { pid, group, session, startTime } of all) {
      if (
        (groupAlive && (group === root.pid || session === root.pid)) ||
        (this.#seen.has(pid) && this.#seen.get(pid) === startTime) ||
        this.#processes.variable(pid, MARK)?.split(" ").includes(mark) ||
        (outputPipe !== undefined && this.#processes.holds(pid, outputPipe))
      ) {
        found.add(pid);
      }
    }
    const members = withDescendants(all, found);
    for (const { pid, startTime } of members) this.#seen.set(pid, startTime);
    return members;
  }

  /** Signal the group as a whole, and one by one the members that left it. */
  signal(name: string, members: readonly ProcessInfo[]): void {
    const { root } = this.#marks;
    if (this.groupAlive) this.#processes.signalGroup(root.pid, name);
    for (const member of members) {
      if (member.group !== root.pid) this.#processes.signal(member, name);
    }
  }

  /** Describe members for people. */
  describe(members: readonly ProcessIdentity[]): Leftover[] {
    return members.map(({ pid }) => ({ pid, command: this.#processes.commandLine(pid) }));
  }
}

/** Whoever started before the first process of the command is not of the command. */
function mayBelong({ state, startTime }: ProcessInfo, root: ProcessIdentity): boolean {
  if (state === "Z" || state === "X") return false;
  return startTime === undefined || root.startTime === undefined ||
    Number(startTime) >= Number(root.startTime);
}

function withDescendants(all: readonly ProcessInfo[], found: Set<number>): ProcessInfo[] {
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid));
}
