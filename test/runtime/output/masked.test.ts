import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { concatMap, filter, firstValueFrom, map } from "rxjs";
import {
  createRuntime,
  excerpt,
  lines,
  maskedOutput,
  type RuntimeOptions,
  search,
} from "../../../src/mod.ts";
import { createTools } from "../../../src/tools.ts";

const SECRET = "s3cret-value-0123456789";
const STARS = "*".repeat(SECRET.length);
const options: RuntimeOptions = {
  mode: "bypass",
  hostEnv: { PATH: "/usr/bin:/bin", DEPLOY_TOKEN: SECRET },
};
/** The line itself has no secret in it. */
const PRINTS = "echo before; printf 's3cret-value-'; sleep 0.1; echo 0123456789; echo after";

describe("secrets of the host in what a command prints", () => {
  it("are stars in results, tools and notices, and stay in the bytes", async () => {
    await using runtime = await createRuntime(options);
    const { taskId, output } = await runtime.run(PRINTS);
    assert.equal(output, `before\n${STARS}\nafter\n`);
    const { bytes } = await runtime.read(taskId);
    assert.equal(new TextDecoder().decode(bytes), `before\n${SECRET}\nafter\n`);

    const tools = createTools(runtime);
    const { text } = await tools.call("bash", { command: PRINTS });
    assert.match(text, new RegExp(`^before\n${STARS.replaceAll("*", "\\*")}\nafter\n`));
    const pieces: string[] = [];
    await tools.call("bash", { command: PRINTS }, {
      updateEveryMs: 10,
      onUpdate: (update) => void (update.type === "output" && pieces.push(update.text)),
    });
    assert.ok(pieces.length > 0);
    assert.doesNotMatch(pieces.join(""), /0123456789|s3cret-value/);
    const found = await tools.call("read_bash", { shellId: taskId, search: "s3cret" });
    assert.doesNotMatch(found.text, /s3cret-value/);
  });

  it("are also what the host names as such, whatever it looks like", async () => {
    const output = { maskSecrets: ["correcthorse", "abcd"] };
    await using runtime = await createRuntime({ ...options, output });
    const { output: shown } = await runtime.run(`${PRINTS}; echo correct'horse' xab'cd'x`);
    assert.equal(shown, `before\n${STARS}\nafter\n************ x****x\n`);
    const wrong = [
      [["abc"], /with output\.maskSecrets\.0 "abc": it is too short$/],
      [[5], /with output\.maskSecrets \[5\]: it must be true, false or texts of four characters/],
      ["all", /with output\.maskSecrets "all": it must be true, false or texts of four characters/],
    ] as const;
    for (const [maskSecrets, message] of wrong) {
      const output = { maskSecrets } as object;
      await assert.rejects(createRuntime({ output }), { name: "TypeError", message });
    }
  });

  it("are hidden in an output that is asked for so, of any task", async () => {
    await using runtime = await createRuntime({ ...options, rules: { deny: ["Bash(rm *)"] } });
    const { taskId } = await runtime.run(PRINTS);
    const output = await maskedOutput(runtime, taskId);
    assert.equal((await excerpt(output)).text, `before\n${STARS}\nafter`);
    assert.deepEqual((await lines(output, { fromLine: 2, maxLines: 1 })).lines[0]?.text, STARS);
    assert.equal((await search(output, "s3cret|0123")).matches.length, 0);
    const denied = await runtime.run("rm x");
    assert.equal((await excerpt(await maskedOutput(runtime, denied.taskId))).text, "");
    await assert.rejects(maskedOutput(runtime, "task_no"), /"task_no": there is no such task/);
  });

  it("are hidden across the borders of reads that are to be masked", async () => {
    await using runtime = await createRuntime(options);
    const { taskId, totalBytes } = await runtime.run(PRINTS);
    let text = "";
    for (let from = 0; from < totalBytes; from += 5) {
      const { bytes } = await runtime.read(taskId, { from, maxBytes: 5, masked: true });
      text += new TextDecoder().decode(bytes);
    }
    assert.equal(text, `before\n${STARS}\nafter\n`);
  });

  it("are hidden where the window of a result cuts them", async () => {
    await using runtime = await createRuntime(options);
    const line = `printf '%0200000d' 0 | sed "s/0/$(printf 's3cret-%s' value-0123456789)/g"`;
    for (const shift of ["x", "xxxxxxxxxxxxx"]) {
      const { output, omittedBytes } = await runtime.run(`printf ${shift}; ${line}`);
      assert.ok(omittedBytes > 0);
      assert.doesNotMatch(output, /s3cret-v|23456789/);
    }
  });

  it("are hidden where a program colours a part of them", async () => {
    await using runtime = await createRuntime(options);
    const line = `printf 's3cret-%s\n' value-0123456789 | grep --color=always value`;
    const { taskId, output } = await runtime.run(line);
    assert.ok(output.includes("\x1b"));
    assert.doesNotMatch(output, /s3cret|value|0123/);
    const tools = createTools(runtime);
    const { text } = await tools.call("read_bash", { shellId: taskId });
    assert.ok(text.startsWith(STARS), text);
  });

  it("are hidden on screens", async () => {
    await using runtime = await createRuntime(options);
    const { taskId } = await runtime.run(`printf 's3cret-%s' value-0123456789`, { pty: true });
    const { lines, styled } = await runtime.screen(taskId, { styled: true });
    assert.equal(lines[0], STARS);
    assert.equal(styled?.[0]?.[0]?.text.trimEnd(), STARS);
  });

  it("are hidden on screens across rows and styles, and in the title", async () => {
    await using runtime = await createRuntime(options);
    const line = "printf '%70s\\033[31ms3cret-\\033[32m%s' '' value-0123456789; " +
      "printf '\\033]0;%s%s\\007' s3cret- value-0123456789";
    const { taskId } = await runtime.run(line, { pty: { columns: 80, rows: 5 } });
    const screen = await runtime.screen(taskId, { styled: true });
    assert.doesNotMatch(JSON.stringify(screen), /s3cret|alue|0123/);
    assert.equal(screen.title, STARS);
  });

  it("are hidden on screens where they have scrolled off in part, or are not yet whole", async () => {
    await using runtime = await createRuntime(options);
    const size = { columns: 10, rows: 3 };
    const half = "printf 's3cret-'; printf value";
    for (const line of ["printf 's3cret-%s\\n' value-0123456789", half]) {
      const { taskId } = await runtime.run(line, { pty: size });
      const screen = await runtime.screen(taskId, { styled: true });
      assert.doesNotMatch(JSON.stringify(screen), /s3cret|alue|0123|3456/);
      assert.equal(screen.styled?.[0]?.map(({ text }) => text).join(""), "*".repeat(10));
    }
  });

  it("are hidden in what a program asks, also where its row begins within one", async () => {
    await using runtime = await createRuntime(options);
    const tools = createTools(runtime);
    const line = "printf 's3cret-'; read -rp 'value-0123456789 ok? '";
    for (const [columns, prompt] of [[80, `${STARS} ok?`], [15, "******** ok?"]] as const) {
      const { taskId, result } = runtime.start(line, { pty: { columns, rows: 5 } });
      const asking = runtime.tasks.changes.pipe(
        map(({ byId }) => byId.get(taskId)?.waitingForInput),
        filter((wait) => wait !== undefined),
      );
      assert.equal((await firstValueFrom(asking)).prompt, prompt);
      const { text } = await tools.call("read_bash", { shellId: taskId });
      assert.ok(text.includes(`: ${prompt}\n`), text);
      await runtime.stop(taskId);
      await result;
    }
  });

  it("are hidden in the command lines of what is left running", async () => {
    await using runtime = await createRuntime(options);
    const line = `setsid sh -c ": $(printf 's3cret-%s' value-0123456789); sleep 60; :" &`;
    const { text, details } = await createTools(runtime).call("bash", { command: line });
    assert.ok(text.includes(`left running: sh -c : ${STARS}; sleep 60`), text);
    assert.doesNotMatch(JSON.stringify(details), /s3cret|value/);
  });

  it("are hidden in the command lines of what a stop cannot end", async () => {
    const survivor = { pid: 4711, startTime: "1", command: `sudo ${SECRET}` };
    await using runtime = await createRuntime({
      ...options,
      executor: (own) => ({ ...own, sweep: () => Promise.resolve([survivor]) }),
    });
    const { taskId: shellId } = await runtime.run("echo over");
    const stopped = await createTools(runtime).call("stop_bash", { shellId });
    assert.ok(stopped.text.includes(`sudo ${STARS} (4711)`), stopped.text);
    assert.doesNotMatch(JSON.stringify(stopped), new RegExp(SECRET));
  });

  it("are hidden in the places that the sandbox refused a command", async () => {
    await using runtime = await createRuntime({
      ...options,
      executor: (own) => ({
        ...own,
        run: (commandId, ...given) => {
          const to = `ftp://host/?key=${SECRET}`;
          const refused = { type: "execution.refused", commandId, to, reason: "no" } as const;
          return own.run(commandId, ...given).pipe(
            concatMap((event) => event.type === "execution.exited" ? [refused, event] : [event]),
          );
        },
      }),
    });
    const { refusal } = await runtime.run("exit 7");
    assert.ok(refusal?.includes(`ftp://host/?key=${STARS}`), refusal);
  });

  it("are shown where that is asked for, and where commands get them", async () => {
    const shown = [
      { output: { maskSecrets: false } },
      { env: { keepSecrets: true } },
    ];
    for (const more of shown) {
      await using runtime = await createRuntime({ ...options, ...more });
      assert.equal((await runtime.run(PRINTS)).output, `before\n${SECRET}\nafter\n`);
    }
  });
});
