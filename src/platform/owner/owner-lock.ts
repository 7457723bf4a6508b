import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { bootId } from "./boot.ts";
import { mayLive } from "./lock-life.ts";
import { type LockRecord, readLockRecord } from "./lock-record.ts";
import { makePrivateDirectory } from "../file/private-directory.ts";
import { procTable } from "../process/proc-table.ts";

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
  /** The process that owns it, if its lock can be read. */
  readonly owner: LockRecord | undefined;

  constructor(message: string, owner?: LockRecord) {
    super(message);
    this.name = "OwnedError";
    this.owner = owner;
  }
}

/** A lock as it was found. */
interface Found {
  readonly generation: number;
  readonly path: string;
  /** Absent: the file is torn, or no lock. */
  readonly record?: LockRecord;
}

const NAME = /^owner-(\d{1,15})\.lock$/;

/**
 * Become the one owner of a directory, which is made when there is none.
 *
 * Owners are counted: each has a lock file with its number in the name, and the highest number owns.
 * Whoever finds that owner gone links a file of the next number into place, whole, which only one
 * of several can do. An owner that ends in order marks its file instead of removing it, so that
 * the count never starts over; its successor removes it.
 *
 * @throws {OwnedError} When its owner lives.
 */
export function takeOwnership(directory: string, runtimeId: string): OwnerLock {
  makePrivateDirectory(directory);
  const startTime = procTable().info(process.pid)?.startTime;
  const boot = bootId();
  for (;;) {
    const found = newest(directory);
    if (found !== undefined) refuseLiving(directory, found);
    const generation = (found?.generation ?? 0) + 1;
    const record: LockRecord = {
      pid: process.pid,
      ...(startTime !== undefined && { startTime }),
      ...(boot !== undefined && { bootId: boot }),
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
    for (const older of locks(directory)) if (older.generation < generation) remove(older.path);
    return held(path, record, found?.record);
  }
}

/** The process that owns a directory now; `undefined` when none does. */
export function ownerOf(directory: string): LockRecord | undefined {
  const found = newest(directory);
  return found?.record !== undefined && mayLive(found.path, found.record)
    ? found.record
    : undefined;
}

function held(path: string, first: LockRecord, before?: LockRecord): OwnerLock {
  let record = first;
  const write = (news: Partial<LockRecord>) => {
    if (record.released) return;
    record = { ...record, ...news };
    const draft = writeDraft(path, record);
    try {
      fs.renameSync(draft, path);
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

const UNWRITABLE: ReadonlySet<unknown> = new Set(["ENOENT", "ENOSPC", "EDQUOT", "EROFS", "EIO"]);

/** Who ended without saying so left things behind, as may have those that it came after. */
function diedWith({ released, runtimeId, dead }: LockRecord): readonly string[] {
  return released ? dead : [...dead, runtimeId];
}

function refuseLiving(directory: string, found: Found): void {
  if (!mayLive(found.path, found.record)) return;
  const { record, path } = found;
  if (record === undefined) {
    throw new OwnedError(
      `Cannot open "${directory}": its lock "${path}" cannot be read, so its owner may live; ` +
        "remove that file if no process uses the directory",
    );
  }
  throw new OwnedError(
    `Cannot open "${directory}": process ${record.pid} owns it; ` +
      "use another directory, end that process, or ask it with shellflow ps, read or stop",
    record,
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
  let names: readonly string[];
  try {
    names = fs.readdirSync(directory);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return [];
    throw cause;
  }
  return names.flatMap((name) => {
    const [, generation] = NAME.exec(name) ?? [];
    if (generation === undefined) return [];
    return [{ generation: Number(generation), path: join(directory, name) }];
  });
}

/** Put a lock into place, whole; answers whether the number was still free. */
function claim(path: string, record: LockRecord): boolean {
  const draft = writeDraft(path, record);
  try {
    fs.linkSync(draft, path);
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    if (!NO_LINKS.has(codeOf(cause))) throw cause;
    return create(path, record);
  } finally {
    remove(draft);
  }
}

/** What file systems without hard links answer. */
const NO_LINKS: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

function create(path: string, record: LockRecord): boolean {
  try {
    fs.writeFileSync(path, `${JSON.stringify(record)}\n`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    remove(path); // what a full disk left of it
    throw cause;
  }
}

function writeDraft(path: string, record: LockRecord): string {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  if (!create(draft, record)) throw new Error(`Cannot write "${draft}": it is there already`);
  return draft;
}

function remove(path: string): void {
  fs.rmSync(path, { force: true });
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}
