import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { isOpenBy } from "../../../src/platform/process/open-files.ts";
import { procFixture, type RecordedProcess } from "../proc-fixture.ts";

const fixture = procFixture();
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "shellflow-open-")));
after(() => {
  fixture.remove();
  rmSync(scratch, { recursive: true, force: true });
});

const FILE = join(scratch, "output");
writeFileSync(FILE, "");
symlinkSync(FILE, join(scratch, "link"));

const PIPE = "/tmp/runtime_x/15 (deleted)";
const LEADER = { pid: 100, session: 100, startTime: 50, files: ["/dev/null", PIPE, PIPE] };
const OTHER = { pid: 200, session: 200, startTime: 60, files: ["/dev/null", "/x", "/x", FILE] };

/** Whether a command has the file open when these are the processes. */
function isOpen(
  other: Partial<RecordedProcess>,
  leader: RecordedProcess = LEADER,
  path: string = FILE,
): boolean {
  fixture.set([leader, { ...OTHER, ...other }]);
  return isOpenBy(path, { leader: 100, commandId: "task_1" }, fixture.table);
}

const marked = (marks: string) => ({ environ: `HOME=/\0SHELLFLOW_MARK=${marks}\0` });
const writing = (...links: string[]) => ({ files: ["/dev/null", ...links, FILE] });

describe("a file that a command has open", () => {
  it("is open in its leader or in another process of the session, also by another path", () => {
    assert.equal(isOpen({}, { ...LEADER, files: ["/dev/null", PIPE, PIPE, FILE] }), true);
    assert.equal(isOpen({ session: 100 }), true);
    assert.equal(isOpen({ session: 100 }, LEADER, join(scratch, "link")), true);
  });

  it("is open in a process that left the session with its mark", () => {
    assert.equal(isOpen(marked("runtime_x/task_1")), true);
    assert.equal(isOpen(marked("outer/task_0 runtime_x/task_1")), true);
    assert.equal(isOpen(marked("runtime_x/task_1 inner/task_2")), true);
  });

  it("is open in a process that left the session with its output", () => {
    assert.equal(isOpen(writing(PIPE, "/x")), true);
    assert.equal(isOpen(writing("/x", PIPE)), true);
    const socket = { ...LEADER, files: ["/dev/null", "socket:[7]", "socket:[7]"] };
    assert.equal(isOpen(writing("socket:[7]", "/x"), socket), true);
  });

  it("is open in a process with its mark when the leader has ended", () => {
    fixture.set([{ ...OTHER, ...marked("runtime_x/task_1") }]);
    assert.equal(isOpenBy(FILE, { leader: 100, commandId: "task_1" }, fixture.table), true);
  });
});

describe("a file that others have open", () => {
  it("is none of the command's", () => {
    assert.equal(isOpen({}), false);
    assert.equal(isOpen(marked("runtime_x/task_11")), false);
    assert.equal(isOpen(marked("")), false);
    assert.equal(isOpen(writing("pipe:[7]", "/x")), false);
    assert.equal(
      isOpen({ ...writing(PIPE, PIPE), startTime: 49 }),
      false,
      "older than the command",
    );
    assert.equal(isOpen({ ...marked("runtime_x/task_1"), files: ["/dev/null", PIPE] }), false);
    assert.equal(isOpen({ session: 100 }, LEADER, join(scratch, "none")), false);
  });

  it("is none of the command's although both write to the same file or device", () => {
    const leader = { ...LEADER, files: ["/dev/null", "/dev/null", "/x"] };
    assert.equal(isOpen(writing("/dev/null", "/x"), leader), false);
  });

  it("is none of the command's when they hold its output without writing to it", () => {
    assert.equal(isOpen({ files: ["/dev/null", "/x", "/x", PIPE, FILE] }), false);
  });
});
