import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Life, lifeOf, OTHER_MACHINE } from "./lock-life.ts";
import { type LockRecord, readLockRecord, RECORD } from "./lock-record.ts";
import { ownPlace } from "./place.ts";
import { unreadable } from "../file/unreadable.ts";
import { makePrivateDirectory } from "../file/private-directory.ts";
import { procTable } from "../process/table/proc-table.ts";

/** The right of one process to write to a directory. */
export interface OwnerLock {
  /** Ids of runtimes that owned the directory and died: processes of theirs may still be there. */
  readonly dead: readonly string[];
  /** Where the last owner listened, if it died. */
  readonly abandoned: string | undefined;
  /** Tell others where the owner listens. */
  publish(socket: string): void;
  /** Nothing of the dead owners is left. */
  buried(): void;
  /** Let others own it. Idempotent. */
  release(): void;
}

/** A directory belongs to a process that lives, or may live. */
export class OwnedError extends Error {
  /** The process that owns it. */
  readonly owner: LockRecord;

  constructor(message: string, owner: LockRecord) {
    super(message);
    this.name = "OwnedError";
    this.owner = owner;
  }
}

/** A lock as it was found. */
interface Found {
  readonly generation: number;
  readonly path: string;
  /** Absent: it says nothing, as after a loss of power. */
  readonly record?: LockRecord;
}

const NAME = /^owner-(\d{1,15})\.lock$/;
/** What becomes a lock, or the record of one, unless its process dies before. */
const DRAFT = /^owner-(\d{1,15})\.lock\.\d+\.[0-9a-f]{12}$/;

/**
 * Become the one owner of a directory, which is made when there is none.
 *
 * Owners are counted: each has a lock with its number in the name, and the highest number owns.
 * Whoever finds that owner gone puts a lock of the next number into place, which only one of several
 * can do. A lock is a directory, with its record in it from the moment it is there: it is renamed,
 * which fails where there is one already, on every file system. So nobody who lives has a lock that
 * says nothing. An owner that ends in order marks its lock instead of removing it, so that the count
 * never starts over; its successor removes it.
 *
 * @throws {OwnedError} When its owner lives, or may live where nothing can be seen of it.
 */
export async function takeOwnership(directory: string, runtimeId: string): Promise<OwnerLock> {
  makePrivateDirectory(directory);
  const startTime = procTable().info(process.pid)?.startTime;
  for (;;) {
    const found = newest(directory);
    if (found?.record !== undefined) await refuseLiving(directory, found.path, found.record);
    const generation = (found?.generation ?? 0) + 1;
    const record: LockRecord = {
      pid: process.pid,
      ...(startTime !== undefined && { startTime }),
      ...ownPlace(),
      runtimeId,
      dead: found?.record === undefined ? [] : diedWith(found.record),
      released: false,
    };
    const path = join(directory, `owner-${generation}.lock`);
    if (!claim(path, record)) continue;
    // Whoever looked long ago can come to a number that is over and removed already.
    if ((newest(directory)?.generation ?? 0) > generation) {
      remove(path);
      continue;
    }
    for (const over of [...locks(directory), ...numbered(directory, DRAFT)]) {
      if (over.generation < generation) remove(over.path);
    }
    return held(path, record, found?.record);
  }
}

/**
 * The process that owns a directory now, or may own it; `undefined` when none does.
 *
 * @throws {OwnedError} When it may be one of another machine, which nobody can ask from here.
 */
export async function ownerOf(directory: string): Promise<LockRecord | undefined> {
  const found = newest(directory);
  if (found?.record === undefined) return undefined;
  const life = await lifeOf(found.record, directory);
  if (life.elsewhere === OTHER_MACHINE) throw owned(directory, found.path, found.record, life);
  return life.state === "gone" ? undefined : found.record;
}

function held(path: string, first: LockRecord, before?: LockRecord): OwnerLock {
  let record = first;
  const write = (news: Partial<LockRecord>) => {
    if (record.released) return;
    record = { ...record, ...news };
    const draft = draftOf(path);
    try {
      writeRecord(draft, record);
      fs.renameSync(draft, join(path, RECORD));
    } catch (cause) {
      remove(draft);
      throw cause;
    }
  };
  return {
    dead: first.dead,
    abandoned: before?.released === false ? before.socket : undefined,
    publish: (socket) => write({ socket }),
    buried: () => write({ dead: [] }),
    release: () => {
      try {
        write({ released: true });
      } catch (cause) {
        // A directory that was removed has no owner, and in one that takes nothing more the next
        // owner sees by the process that this one is gone.
        if (!UNWRITABLE.has(codeOf(cause))) throw cause;
      }
    },
  };
}

const UNWRITABLE: ReadonlySet<unknown> = new Set([
  ...["ENOENT", "ENOSPC", "EDQUOT", "EROFS", "EIO"],
  ...["EACCES", "EPERM"],
]);

/** Who ended without saying so left things behind, as may have those that it came after. */
function diedWith({ released, runtimeId, dead }: LockRecord): readonly string[] {
  return released ? dead : [...dead, runtimeId];
}

async function refuseLiving(directory: string, lock: string, owner: LockRecord): Promise<void> {
  const life = await lifeOf(owner, directory);
  if (life.state !== "gone") throw owned(directory, lock, owner, life);
}

function owned(
  directory: string,
  lock: string,
  owner: LockRecord,
  { state, elsewhere }: Life,
): OwnedError {
  const who = ["process", owner.pid, ...elsewhere === undefined ? [] : [elsewhere]].join(" ");
  return new OwnedError(
    `Cannot open "${directory}": ` + (state === "lives"
      ? `${who} owns it; ` +
        "use another directory, end that process, or ask it with shellflow ps, read or stop"
      : `${who} owned it last, and nothing tells from here whether it lives; ` +
        `use another directory, or remove "${lock}" if it does not`),
    owner,
  );
}

function newest(directory: string): Found | undefined {
  let last: Found | undefined;
  for (const lock of locks(directory)) {
    if (last === undefined || lock.generation > last.generation) last = lock;
  }
  if (last === undefined) return undefined;
  const record = readLockRecord(last.path);
  return { ...last, ...(record !== undefined && { record }) };
}

function locks(directory: string): readonly Found[] {
  return numbered(directory, NAME);
}

function numbered(directory: string, pattern: RegExp): readonly Found[] {
  let names: readonly string[];
  try {
    names = fs.readdirSync(directory);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return [];
    throw unreadable(directory, cause);
  }
  return names.flatMap((name) => {
    const [, generation] = pattern.exec(name) ?? [];
    if (generation === undefined) return [];
    return [{ generation: Number(generation), path: join(directory, name) }];
  });
}

/** Put a lock into place, whole; answers whether the number was still free. */
function claim(path: string, record: LockRecord): boolean {
  const draft = draftOf(path);
  try {
    fs.mkdirSync(draft, { mode: 0o700 });
    writeRecord(join(draft, RECORD), record);
    return moveInto(draft, path);
  } catch (cause) {
    // Whoever owns a higher number by now has removed it.
    if (codeOf(cause) === "ENOENT" && fs.existsSync(dirname(path))) return false;
    throw cause;
  } finally {
    remove(draft);
  }
}

function moveInto(draft: string, path: string): boolean {
  try {
    fs.renameSync(draft, path);
    return true;
  } catch (cause) {
    // Systems have different answers to this; and it may be gone again by now.
    if (TAKEN.has(codeOf(cause)) || fs.existsSync(path)) return false;
    throw cause;
  }
}

const TAKEN: ReadonlySet<unknown> = new Set(["ENOTEMPTY", "EEXIST", "ENOTDIR"]);

function draftOf(path: string): string {
  return `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
}

function writeRecord(file: string, record: LockRecord): void {
  fs.writeFileSync(file, `${JSON.stringify(record)}\n`, { flag: "wx", mode: 0o600 });
}

/** What cannot be removed has a number that is over, or none: it does no harm. */
function remove(path: string): void {
  try {
    fs.rmSync(path, { force: true, recursive: true });
  } catch {
    // Two may be at it at the same time.
  }
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}
