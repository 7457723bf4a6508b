import type { Leftover } from "../../event/leftover.ts";
import type {
  Processes,
  ProcessIdentity,
  ProcessInfo,
  ProcessTable,
} from "../../platform/process/processes.ts";
import { MARK } from "../../platform/process/mark.ts";
import { isDetached } from "./marks.ts";

/** So many looks in a row that find no member are believed, however old their tables are. */
const ENOUGH_LOOKS = 4;
/** So many in a row that meet a process which is just becoming another program are believed: it takes none so long. */
const ENOUGH_CHANGING_LOOKS = 16;

/** By what the processes of a tree are known. */
export interface TreeMarks {
  /** The process that was started, the leader of the group and the session of its pid; absent: no single one. */
  readonly root?: ProcessIdentity;
  /** The root and its child are a container: it ends by a signal, and all that is in it at once. */
  readonly contained?: boolean;
  /** The persistent shell that runs the command. */
  readonly shell?: ProcessIdentity;
  /** Whether the shell still runs the command, so that it is a member; its other children never are. */
  readonly inShell?: () => boolean;
  /** Pids of other members. */
  readonly children?: () => readonly number[];
  /** The variable that marks the members; {@linkcode MARK} when absent. */
  readonly variable?: string;
  /** Whether a word in its value is theirs; they carry it unless they cleared it. */
  readonly isMark: (mark: string) => boolean;
  /** Whether a link in /proc is their output; they hold it unless they closed it. */
  readonly isOutput?: (link: string) => boolean;
}

/**
 * The living processes of one command, or of a whole runtime, wherever they went.
 *
 * They are known by the group and session of the first one, by descent, by the mark in their
 * environment and by the output pipe that they hold. A process that sheds all of these is out of
 * reach. A detached command that one of them started is not a member.
 */
export class ProcessTree {
  readonly #processes: Processes;
  readonly #marks: TreeMarks;
  /** A process that was seen stays a member, also when it sheds its marks later. */
  readonly #seen = new Map<number, string | undefined>();
  /** While the leader is not collected, no other group can have its number. */
  #led: boolean;
  #groupGone: boolean;
  #emptyIn: ProcessTable | undefined;
  #emptyLooks = 0;
  #certain = false;
  #partial = false;
  #changingLooks = 0;

  constructor(processes: Processes, marks: TreeMarks) {
    this.#processes = processes;
    this.#marks = marks;
    this.#led = marks.root !== undefined;
    this.#groupGone = marks.root === undefined;
    if (marks.root !== undefined) this.#seen.set(marks.root.pid, marks.root.startTime);
  }

  /** Whether the group has members; once empty, its number may be reused and is not asked again. */
  get groupAlive(): boolean {
    // A leader that was forked a moment ago may not have made it yet.
    this.#groupGone ||= !this.#led && !this.#groupAnswers();
    return !this.#groupGone;
  }

  #groupAnswers(): boolean {
    const { root } = this.#marks;
    return root !== undefined && this.#processes.signalGroup(root.pid, "0");
  }

  /** The leader has been collected: remember at once the members of its group, so that they are known later. */
  leaderEnded(): void {
    const pid = this.#marks.root?.pid;
    const isLeft = ({ group, pid: own }: ProcessInfo) => group === pid && own !== pid;
    this.#groupGone ||= !this.#groupAnswers();
    if (!this.#groupGone && !this.members().some(isLeft)) this.members(true);
    this.#led = false;
  }

  /**
   * Whether the last look, which found no member, can be believed: a table some milliseconds old shows
   * a process that has started another and ended since, and not the other.
   */
  get certain(): boolean {
    return this.#certain;
  }

  /** Whether the last look may have missed some: then the group can still be signalled by its number. */
  get partial(): boolean {
    return this.#partial;
  }

  /** Whether the last look met a process that shows nothing for a moment, and may be a member. */
  get changing(): boolean {
    return this.#changingLooks > 0 && this.#changingLooks < ENOUGH_CHANGING_LOOKS;
  }

  /**
   * Find the members that live; a look through the whole process table.
   *
   * @param fresh How new that is, as {@linkcode Processes.table} takes it: one some milliseconds old lacks
   *   what has started just now.
   */
  members(fresh?: boolean | "turn"): ProcessInfo[] {
    const table = this.#processes.table(fresh);
    const members = this.#find(table);
    this.#partial = table.partial === true;
    this.#changingLooks = table.changing ? this.#changingLooks + 1 : 0;
    if (members.length > 0 || this.#partial || this.changing) {
      this.#emptyIn = undefined;
      this.#emptyLooks = 0;
      this.#certain = false;
    } else {
      this.#certain = table.all.length === 0 || ++this.#emptyLooks === ENOUGH_LOOKS ||
        (this.#emptyIn !== undefined && this.#emptyIn !== table);
      this.#emptyIn ??= table;
    }
    return members;
  }

  /** The shell that still runs the command, among members as just found. */
  shellAmong(members: readonly ProcessInfo[]): ProcessInfo | undefined {
    const { shell } = this.#marks;
    return shell && members.find(({ pid }) => pid === shell.pid);
  }

  /** The words of those that run now, but for a container. */
  words(): readonly (readonly string[])[] {
    return this.#ofCommand(this.members(true)).map(({ pid }) => this.#processes.argv(pid));
  }

  /** Find the members that live; look twice before the answer is that there are none. */
  survey(): ProcessInfo[] {
    const members = this.members();
    return members.length > 0 || this.#certain ? members : this.members(true);
  }

  /** Signal the group as a whole; answers whether it is still there. */
  signalGroup(name: string): boolean {
    const { root, contained } = this.#marks;
    const members = contained || !this.#led ? this.members(true) : [];
    const inside = this.#inside(name, members);
    if (inside.length > 0) {
      const meant = inside.filter(({ group }) => group === root?.pid);
      for (const member of meant) this.#processes.signal(member, name);
      return meant.length > 0;
    }
    if (root === undefined || !this.groupAlive) return false;
    return this.#processes.signalGroup(root.pid, name) ||
      (this.#led && this.#processes.signal(root, name));
  }

  /** Signal the group as a whole, and one by one the members that left it, as just found. */
  signal(name: string, members: readonly ProcessInfo[]): void {
    const inside = this.#inside(name, members);
    if (inside.length > 0) {
      for (const member of inside) this.#processes.signal(member, name);
      return;
    }
    const group = this.groupAlive ? this.#marks.root?.pid : undefined;
    if (group !== undefined) this.#processes.signalGroup(group, name);
    for (const member of members) {
      if (member.group !== group) this.#processes.signal(member, name);
    }
  }

  /** Signal one member; answers whether the system accepted that. */
  signalOne(member: ProcessInfo, name: string): boolean {
    return this.#processes.signal(member, name);
  }

  /** Describe members for people. */
  describe(members: readonly ProcessIdentity[]): Leftover[] {
    return members.map(({ pid, startTime }) => ({
      pid,
      ...(startTime !== undefined && { startTime }),
      command: this.#processes.commandLine(pid),
    }));
  }

  #find(table: ProcessTable): ProcessInfo[] {
    const { root, shell, inShell, children } = this.#marks;
    const all = table.all.filter((process) => mayBelong(process, root ?? shell));
    const others = shell === undefined ? all : all.filter(({ pid }) => pid !== shell.pid);
    const group = this.#ownGroup(all, table);
    const found = new Set<number>(children?.());
    for (const process of others) if (this.#isMember(process, group, table)) found.add(process.pid);
    const members = withDescendants(others, found, (pid) => !isDetached(pid, table));
    for (const { pid, startTime } of members) this.#seen.set(pid, startTime);
    const running = inShell?.() ? all.filter(({ pid }) => pid === shell?.pid) : [];
    // The shell first: it would go on with the line when it saw a process of it end by KILL.
    return [...running, ...members];
  }

  /**
   * The processes that get a signal in a container, which ends by a signal to its own processes. All of them get
   * KILL, and whatever is sent before a process runs in it.
   */
  #inside(name: string, members: readonly ProcessInfo[]): readonly ProcessInfo[] {
    const { contained } = this.#marks;
    return contained && name !== "SIGKILL" ? this.#ofCommand(members) : [];
  }

  /** All but the container itself. */
  #ofCommand(members: readonly ProcessInfo[]): readonly ProcessInfo[] {
    const { root, contained } = this.#marks;
    if (!contained) return members;
    return members.filter(({ pid, parent }) => pid !== root?.pid && parent !== root?.pid);
  }

  /**
   * The number of our group while it is ours.
   *
   * A group may empty itself and its number be reused between two looks. It was not if a member is in
   * it that is known by something else.
   */
  #ownGroup(all: readonly ProcessInfo[], table: ProcessTable): number | undefined {
    const { root } = this.#marks;
    if (root === undefined || !this.groupAlive) return undefined;
    // Where the system has no table, its answer is all there is.
    const ours = this.#led || table.all.length === 0 ||
      all.some((process) => process.group === root.pid && this.#isKnown(process, table));
    this.#groupGone = !ours;
    return ours ? root.pid : undefined;
  }

  #isMember(process: ProcessInfo, own: number | undefined, table: ProcessTable): boolean {
    if (own !== undefined && (process.group === own || process.session === own)) return true;
    return this.#isKnown(process, table);
  }

  #isKnown({ pid, startTime }: ProcessInfo, table: ProcessTable): boolean {
    const { isMark, isOutput, variable = MARK } = this.#marks;
    const mark = table.variable(pid, variable);
    if (mark?.split(" ").some(isMark)) return true;
    const seen = this.#seen.has(pid) && this.#seen.get(pid) === startTime;
    // One that is about to be detached was seen as a copy of the process that starts it.
    if (seen && !isDetached(pid, table)) return true;
    // An emptied mark means that the holder of the output belongs to no command, or to a detached one.
    return isOutput !== undefined && mark !== "" &&
      table.openFiles(pid).some(isOutput);
  }
}

/** A process that started before the first one of the command does not belong to the command. */
function mayBelong({ state, startTime }: ProcessInfo, root: ProcessIdentity | undefined): boolean {
  if (state === "Z" || state === "X") return false;
  return startTime === undefined || root?.startTime === undefined ||
    Number(startTime) >= Number(root.startTime);
}

function withDescendants(
  all: readonly ProcessInfo[],
  found: Set<number>,
  follows: (pid: number) => boolean,
): ProcessInfo[] {
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of all) {
      if (found.has(parent) && !found.has(pid) && follows(pid)) found.add(pid);
    }
  }
  return all.filter(({ pid }) => found.has(pid));
}
