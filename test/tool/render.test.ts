import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { partialFields } from "../../src/tool/render/partial-json.ts";
import { renderCall, renderResult } from "../../src/tool/render/render.ts";

describe("a call that is shown", () => {
  const input = {
    command: "printf 'a\\n\"b\"'\necho ü",
    cwd: "/tmp",
    timeout: 5,
    env: { SECRET: "no" },
  };

  it("has the command and what changes how it runs, without values of variables", () => {
    const text = renderCall("bash", input);
    assert.equal(renderCall({ name: "bash" }, input), text);
    assert.equal(
      text,
      "$ printf 'a\\n\"b\"'\necho ü\n(cwd /tmp, timeout 5 s, env SECRET)",
    );
  });

  it("has what a tool that runs nothing is asked for", () => {
    const read = { shellId: ["a", "b"], until: "exit", delay: 5, search: "x", from: 3, context: 2 };
    assert.equal(
      renderCall("read_bash", read),
      "read_bash a, b\n(until exit, search x, from 3, context 2, delay 5 s)",
    );
    const stop = renderCall("stop_bash", { shellId: "a", keep_shell: true });
    assert.equal(stop, "stop_bash a\n(keep_shell)");
    const detached = { command: "x", mode: "async", detach: true, pty: true, input: false };
    assert.equal(renderCall("bash", detached), "$ x\n(mode async, detach, pty)");
  });

  it("is shown while its JSON is still being written, at every place where that can break off", () => {
    const json = JSON.stringify(input);
    for (let end = 0; end <= json.length; end++) {
      const { command } = partialFields(json.slice(0, end));
      const whole = typeof command === "string" ? command : "";
      assert.ok(input.command.startsWith(whole), `${end}: ${whole}`);
      assert.match(renderCall("bash", json.slice(0, end)), /^(\$|bash)/);
    }
    assert.deepEqual(partialFields(json), input);
    assert.deepEqual(partialFields('{"command": "echo \\u00'), { command: "echo " });
    assert.deepEqual(partialFields('{"command": "a", "timeout": 1'), { command: "a", timeout: 1 });
    assert.deepEqual(partialFields('{"command": "a", "detach": tr'), { command: "a" });
    assert.deepEqual(partialFields("[1"), {});
    assert.equal(renderCall("bash", '{"command": "echo \\ud83d'), "$ echo \ufffd");
  });

  it("is cut to ten visual lines unless it is expanded, and obeys no escape sequence", () => {
    const command = `${"x".repeat(100)}\n`.repeat(20);
    assert.match(renderCall("bash", { command }), /… 30 more lines$/);
    assert.equal(renderCall("bash", { command }, { expanded: true }).split("\n").length, 40);
    assert.equal(renderCall("bash", { command: "\x1b[2J" }).includes("\x1b"), false);
  });
});

describe("a result that is shown", () => {
  const details = {
    tool: "bash",
    truncation: { shown: [], totalBytes: 9, artifact: "artifact://t" },
    timeout: { requested: 9_000, effective: 3_600 },
  };
  const content = [
    {
      audience: "both" as const,
      text: Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n"),
    },
    { audience: "both" as const, text: "exit code 0\ntimeout 9000 s: 3600 s is used" },
    { audience: "model" as const, text: "for the model" },
  ];

  it("has the last lines and how it stands, each said once", () => {
    const rows = renderResult({ content, details }).split("\n");
    assert.equal(rows[0], "… 20 earlier lines");
    assert.equal(rows[1], "line 20");
    assert.deepEqual(rows.slice(-3), [
      "line 29",
      "exit code 0",
      "timeout 9000 s: 3600 s is used",
    ]);
    assert.equal(rows.join("\n").includes("for the model"), false);
  });

  it("shows more of a person's command", () => {
    const rows = renderResult({ content, details }, { surface: "user" }).split("\n");
    assert.equal(rows[0], "… 10 earlier lines");
    const own = { content, details: { tool: "user" } };
    assert.equal(renderResult(own), renderResult(own, { surface: "user" }));
    const long = [{ audience: "both" as const, text: "y".repeat(5_000) }];
    const text = renderResult({ content: long, details: { tool: "bash" } }, {
      surface: "user",
      columns: 10_000,
    });
    assert.equal(text.length, 4_001);
  });
});
