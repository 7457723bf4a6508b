import * as fs from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { controlPath } from "../control/control-path.ts";
import { checkPrivateDirectory, claimPrivateDirectory } from "../file/private-directory.ts";
import { type LockRecord, ownRecord, readLockRecord } from "./lock-record.ts";
import { lifeOf, type OwnerLife } from "./owner-life.ts";
import { codeOf } from "../failure.ts";

/** The right of one process to write to a directory. */
export interface OwnerLock {
  /** Ids of runtimes that owned the directory and died: processes of theirs may be left. */
  readonly dead: readonly string[];
  /** Record that no process of the dead runtimes is left. */
  forgetDead(): void;
  /** Let other processes own the directory. Idempotent. */
  release(): void;
}

/** The owner of a directory, and where it listens. */
export interface DirectoryOwner extends LockRecord {
  readonly socket: string;
}

/** A directory belongs to a process that lives, or may live. */
export class OwnedError extends Error {
  override readonly name = "OwnedError";
  /** The process that owns it. */
  readonly owner: LockRecord;

  constructor(message: string, owner: LockRecord) {
    super(message);
    this.owner = owner;
  }
}

const LOCK = "owner.lock";
/** Made by the one process that takes the lock, and renamed to it. */
const NEXT = "owner.lock.next";
/** How often, and with which pause in milliseconds, a process waits for another one to take the lock. */
const TRIES = 200;
const PAUSE_MS = 10;

/**
 * Become the one owner of a directory, which is made when there is none.
 *
 * @throws {OwnedError} When its owner lives, or may live where it cannot be seen.
 * @throws {Error} When the directory cannot be used, or a process died while it took the lock.
 */
export async function takeOwnership(directory: string, runtimeId: string): Promise<OwnerLock> {
  claimPrivateDirectory(directory);
  const path = join(directory, LOCK);
  const next = join(directory, NEXT);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const before = readLockRecord(path);
    if (before !== undefined) {
      const life = await lifeOf(before, directory);
      if (life.state !== "gone") throw owned(directory, before, life);
    }
    const record = ownRecord(runtimeId, before === undefined ? [] : leftBy(before));
    if (takeLock({ path, next, before, record })) return ownerLock(path, record);
    await pause(PAUSE_MS);
  }
  throw new Error(
    `Cannot open "${directory}": a process died while it took the lock; remove "${next}"`,
  );
}

/** Only one process at a time can make the file; and the lock must be the one that was looked at. */
function takeLock(
  { path, next, before, record }: {
    readonly path: string;
    readonly next: string;
    readonly before: LockRecord | undefined;
    readonly record: LockRecord;
  },
): boolean {
  try {
    writeRecord(next, record);
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    fs.rmSync(next, { force: true });
    throw cause;
  }
  if (readLockRecord(path)?.runtimeId !== before?.runtimeId) {
    fs.rmSync(next);
    return false;
  }
  fs.renameSync(next, path);
  return true;
}

/**
 * The process that owns a directory now, or may own it; `undefined` when none does.
 *
 * @throws {OwnedError} When it runs on another machine, and cannot be asked from here.
 * @throws {Error} When the directory belongs to another user.
 */
export async function ownerOf(directory: string): Promise<DirectoryOwner | undefined> {
  const record = readLockRecord(join(directory, LOCK));
  if (record === undefined) return undefined;
  checkPrivateDirectory(directory);
  const life = await lifeOf(record, directory);
  if (life.place === "on another machine") throw owned(directory, record, life);
  return life.state === "gone" ? undefined : { ...record, socket: controlPath(directory) };
}

function writeRecord(path: string, record: LockRecord): void {
  fs.writeFileSync(path, `${JSON.stringify(record)}\n`, { flag: "wx", mode: 0o600 });
}

function ownerLock(path: string, first: LockRecord): OwnerLock {
  let record = first;
  let released = false;
  const rewrite = (change: Partial<LockRecord>) => {
    record = { ...record, ...change };
    // Renamed into place, so that readers see the whole record.
    const draft = `${path}.${record.runtimeId}`;
    writeRecord(draft, record);
    fs.renameSync(draft, path);
  };
  return {
    dead: first.dead,
    forgetDead: () => {
      if (!released && record.dead.length > 0) rewrite({ dead: [] });
    },
    release: () => {
      if (released) return;
      released = true;
      try {
        if (record.dead.length > 0) return rewrite({ released: true });
      } catch {
        // On a full disk the list is lost, and the directory is free.
      }
      fs.rmSync(path, { force: true });
    },
  };
}

/** A runtime that did not release its directory may have left processes. */
function leftBy({ released, runtimeId, dead }: LockRecord): readonly string[] {
  return released ? dead : [...dead, runtimeId];
}

function owned(directory: string, owner: LockRecord, { state, place }: OwnerLife): OwnedError {
  if (owner.pid === process.pid && place === undefined) {
    const message = `Cannot open "${directory}": another runtime of this process owns it; ` +
      "close that one, or use another directory";
    return new OwnedError(message, owner);
  }
  const one = ["process", owner.pid, ...place === undefined ? [] : [place]].join(" ");
  return new OwnedError(
    `Cannot open "${directory}": ` + (state === "lives"
      ? `${one} owns it; ` +
        "use another directory, end that process, or ask it with shellflow ps, read or stop"
      : `${one} owned it last, and may live; ` +
        `use another directory, or remove "${join(directory, LOCK)}" if it does not`),
    owner,
  );
}
