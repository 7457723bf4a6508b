import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import process from "node:process";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import {
  homeDirectory,
  stateHome,
  temporaryDirectory,
} from "../../../src/platform/environment/environment.ts";
import { scratch } from "../../event/scratch.ts";
import { runArgs } from "../../run-args.ts";

const { HOME, XDG_STATE_HOME } = process.env;
const set = (name: string, value: string | undefined) => {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
};
after(() => {
  set("HOME", HOME);
  set("XDG_STATE_HOME", XDG_STATE_HOME);
});

describe("the temporary directory", () => {
  it("is /tmp where the environment names one that does not exist, which is not made", () => {
    const { TMPDIR } = process.env;
    const named = scratch();
    set("TMPDIR", named);
    const there = temporaryDirectory();
    set("TMPDIR", `${named}/none`);
    const absent = temporaryDirectory();
    set("TMPDIR", TMPDIR);
    assert.deepEqual([there, absent], [named, "/tmp"]);
  });
});

describe("the home directory", () => {
  it("is what bash takes for ~", () => {
    for (const home of ["/some/where", "", undefined]) {
      set("HOME", home);
      assert.equal(
        homeDirectory(),
        execFileSync("bash", ["-c", "printf %s ~"], { encoding: "utf8" }),
      );
    }
  });

  it("is the root for a user whom the system does not know", async (test) => {
    const unknown = ["--user", "--map-user=54321"];
    const isUnknown = `! getent passwd 54321 && test "$(id -u)" = 54321`;
    try {
      execFileSync("unshare", [...unknown, "sh", "-c", isUnknown], { stdio: "ignore" });
    } catch {
      return test.skip("one cannot become such a user here");
    }
    const home = new URL("../fixture/home.ts", import.meta.url);
    // Deno would keep what it has compiled below the home directory.
    const { HOME: _, ...others } = process.env;
    const env = { ...others, DENO_DIR: scratch() };
    const { stdout } = await promisify(execFile)(
      "unshare",
      [...unknown, process.execPath, ...runArgs(home)],
      { env },
    );
    assert.equal(stdout, "/\n");
  });
});

describe("the place for what is to outlast a program", () => {
  it("is below the home directory, or where the variable says", () => {
    set("HOME", "/some/where");
    set("XDG_STATE_HOME", "not/absolute");
    assert.equal(stateHome(), "/some/where/.local/state");
    set("XDG_STATE_HOME", "/states");
    assert.equal(stateHome(), "/states");
  });

  it("is none where it would be another in every directory", () => {
    set("HOME", "");
    set("XDG_STATE_HOME", undefined);
    assert.throws(() => stateHome(), {
      message: 'Cannot keep state in the home directory "": HOME has to be absolute',
    });
  });
});
