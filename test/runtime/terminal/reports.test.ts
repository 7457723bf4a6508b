import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { findProgram } from "../../../src/platform/environment/find-program.ts";
import type { ProgramReport } from "../../../src/screen/program-report.ts";
import { cleanUp } from "../../clean-up.ts";
import { until } from "../../until.ts";
import { terminalSession } from "./session-world.ts";
import { type Interactive, terminalWorld } from "./world.ts";

const home = mkdtempSync(join(tmpdir(), "shellflow-reports-"));
cleanUp(() => rmSync(home, { recursive: true, force: true }));
const world = await terminalWorld();
const { runtime } = world;

/** Wait until a program has reported something. */
async function reports({ taskId }: Interactive, expected: ProgramReport): Promise<void> {
  let reported: ProgramReport = {};
  const look = async () => ({ reported } = await runtime.screen(taskId));
  await until(() => {
    void look();
    return isDeepStrictEqual(reported, expected);
  }, 20);
}

/** What makes bash mark its prompts and command lines, and say their text and its directory. */
const INTEGRATION = String.raw`PS1='\[\e]133;A\a\]> \[\e]133;B\a\]'
PS0='\e]633;E;$(history 1 | cut -c 8-);no nonce\a\e]633;C\a'
PROMPT_COMMAND='printf "\e]633;D;%s\a\e]7;file://%s%s\a" $? "$HOSTNAME" "$PWD"'
HISTFILE= `.replaceAll("\n", " ");
const host = hostname();

describe("what a program on a terminal reports", () => {
  it("is shown of bash with an integration, also at its end and at any offset", async () => {
    const it = await world.start(`${INTEGRATION} bash --norc -i`, { cwd: home });
    await reports(it, { at: "prompt", exitCode: 0, cwd: home, host });
    assert.deepEqual(await it.waits(), {
      type: "execution.waitingForInput",
      commandId: it.taskId,
      prompt: ">",
      password: false,
    });
    await it.type("cd / && false{enter}");
    const failed = { at: "prompt", command: "cd / && false", exitCode: 1, cwd: "/", host } as const;
    await reports(it, failed);
    const { offset } = await runtime.screen(it.taskId);
    await it.waits();
    await it.type("sleep 60{enter}");
    await reports(it, { at: "command", command: "sleep 60", cwd: "/", host });
    await it.type("{ctrl-c}");
    await reports(it, { ...failed, command: "sleep 60", exitCode: 130 });
    await it.waits();
    await it.type("exit 3{enter}");
    assert.deepEqual((await it.result).outcome, { type: "exited", code: 3 });
    await reports(it, { at: "command", command: "exit 3", cwd: "/", host });
    assert.deepEqual((await runtime.screen(it.taskId, { offset })).reported, failed);
  });

  it("is the directory in fish, where it takes the terminal for one that wants that", {
    skip: findProgram("fish", process.env["PATH"] ?? "") === undefined,
  }, async () => {
    const it = await world.start("fish", { env: { HOME: home, VTE_VERSION: "5202" } });
    await it.waits();
    await it.type("cd /{enter}");
    let reported: ProgramReport = {};
    const look = async () => ({ reported } = await runtime.screen(it.taskId));
    await until(() => {
      void look();
      return reported.cwd === "/" && reported.host === host;
    }, 20);
    await it.waits();
    await it.type("exit{enter}");
    await it.result;
  });

  it("is prompt and exit code in zsh, where its start files say so", {
    skip: findProgram("zsh", process.env["PATH"] ?? "") === undefined,
  }, async () => {
    const lines = [
      String.raw`PS1=$'%{\e]133;A\a%}\u279c %{\e]133;B\a%}' PROMPT_SP=`,
      String.raw`precmd() { print -n "\e]133;D;$?\a\e]7;file://$HOST$PWD\a"; }`,
      String.raw`preexec() { print -n "\e]133;C\a"; }`,
    ];
    writeFileSync(join(home, ".zshrc"), lines.join("\n"));
    const it = await world.start("zsh -i", {
      env: { HOME: home, ZDOTDIR: home, LC_ALL: "C.UTF-8" },
      cwd: home,
    });
    await reports(it, { at: "prompt", exitCode: 0, cwd: home, host });
    assert.equal((await it.waits()).prompt, "\u279c");
    await it.type("cd / && false{enter}");
    await reports(it, { at: "prompt", exitCode: 1, cwd: "/", host });
    await it.waits();
    await it.type("exit 3{enter}");
    assert.deepEqual((await it.result).outcome, { type: "exited", code: 3 });
  });

  it("changes nothing else: a forged report is output like any other", async () => {
    const { run, sessionId, events } = await terminalSession({}, { world });
    const outcomes = [];
    for (const mark of ["", String.raw`\e]`]) {
      const text = [
        "7;file://far/no",
        "633;A",
        "633;E;rm -rf /",
        "633;C",
        "633;D;9",
        "633;P;Cwd=/no",
      ];
      const { taskId, outcome, cwd } = await run(
        `printf '${text.map((command) => `${mark}${command}\\a`).join("")}'; pwd`,
      );
      const { reported } = await runtime.screen(taskId);
      assert.deepEqual(
        reported,
        mark === "" ? {} : { command: "rm -rf /", exitCode: 9, cwd: "/no" },
      );
      await until(() => runtime.tasks.current.byId.get(taskId)?.closed === true);
      const types = events.filter((event) => "commandId" in event && event.commandId === taskId)
        .map(({ type }) => type).filter((type) => type !== "output.appended");
      const session = runtime.sessions.current.byId.get(sessionId);
      outcomes.push({ outcome, cwd, types, session: [session?.cwd, session?.resets] });
    }
    assert.deepEqual(outcomes[1], outcomes[0]);
    assert.equal((await run("pwd")).output, `${process.cwd()}\r\n`);
  });
});
