import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { aiSdkTools } from "../../src/integration/recipes/ai-sdk.ts";
import {
  anthropicAnswer,
  anthropicBash,
  anthropicToolOptions,
  anthropicTools,
} from "../../src/integration/recipes/anthropic.ts";
import { langChainToolArguments } from "../../src/integration/recipes/langchain.ts";
import { mastraToolOptions } from "../../src/integration/recipes/mastra.ts";
import { withNotices } from "../../src/integration/recipes/notice-messages.ts";
import { agentsToolOptions } from "../../src/integration/recipes/openai-agents.ts";
import { openAiAnswer, openAiTools } from "../../src/integration/recipes/openai-chat.ts";
import {
  openAiResponsesAnswer,
  openAiResponsesTools,
} from "../../src/integration/recipes/openai-responses.ts";
import { openAiShell } from "../../src/integration/recipes/openai-shell.ts";
import { NoticeInbox, PlacedNotices } from "../../src/notification/notice-inbox.ts";
import { createTools } from "../../src/tool/create-tools.ts";
import { gate } from "../gate.ts";
import { toolWorld } from "../tool/world.ts";

const { runtime, tools } = await toolWorld();
const [bash] = tools;
assert.ok(bash);
const OK = "hi\nexit code 0";
const input = { command: "echo hi" };
const INVALID = /^Invalid input \(nothing was run\): command: it is missing/;

describe("the schema of a tool, which every framework takes", () => {
  const { schema } = bash;

  it("is plain JSON Schema when it is serialised or enumerated", () => {
    assert.equal(Object.keys(schema).includes("~standard"), false);
    const json = JSON.parse(JSON.stringify(schema));
    assert.equal(json.type, "object");
    assert.deepEqual(json.required, ["command"]);
    assert.equal(json.additionalProperties, false);
  });

  it("is a Standard Schema whose failures carry issues and no value", () => {
    const { validate, jsonSchema, version } = schema["~standard"];
    assert.equal(version, 1);
    assert.deepEqual(validate(input), { value: input });
    const failed = validate({ command: 1 });
    assert.equal("value" in failed, false);
    assert.deepEqual("issues" in failed && failed.issues, [
      { message: "command: expected string, not 1", path: ["command"] },
    ]);
    for (const target of ["draft-2020-12", "draft-07", undefined]) {
      assert.equal(jsonSchema.input(target === undefined ? {} : { target })["type"], "object");
    }
  });

  it("accepts everything where a framework would hide the reason, and the tool refuses it", async () => {
    const [lenient] = createTools(runtime, { lenient: true });
    assert.deepEqual(lenient?.schema["~standard"].validate({ a: 1 }), { value: { a: 1 } });
    assert.match((await lenient?.run({}))?.text ?? "", INVALID);
  });

  it("belongs to tools whose descriptions are short and promise only what there is", () => {
    const silent = createTools(runtime, {
      tools: ["run", "stop"],
      background: false,
      notices: false,
      family: "powershell",
    });
    for (const { description } of [...tools, ...silent]) assert.ok(description.length <= 1_500);
    const [run] = silent;
    assert.deepEqual(silent.tools.map(({ name }) => name), ["powershell", "stop_powershell"]);
    assert.doesNotMatch(run?.description ?? "", /notice|read_|async|detach|artifact/);
    assert.equal(Object.hasOwn(run?.schema["properties"] ?? {}, "mode"), false);
    assert.match(bash.description, /You get a notice/);
  });
});

describe("a recipe", () => {
  it("for the AI SDK runs a tool, and shows the model its text", async () => {
    const { bash } = aiSdkTools(tools);
    assert.ok(bash);
    const output = await bash.execute(input, {});
    assert.deepEqual(bash.toModelOutput({ output }), { type: "text", value: OK });
    const failed = await bash.execute({}, {});
    assert.equal(bash.toModelOutput({ output: failed }).type, "error-text");
  });

  it("for OpenAI's chat answers a call by a message", async () => {
    const [tool] = openAiTools(tools);
    assert.equal(tool?.function.name, "bash");
    const call = (json: string, name = "bash") =>
      openAiAnswer(tools, { type: "function", id: "1", function: { name, arguments: json } });
    assert.deepEqual(await call(JSON.stringify(input)), {
      role: "tool",
      tool_call_id: "1",
      content: OK,
    });
    assert.match((await call("{}")).content, INVALID);
    assert.match((await call("{")).content, /nothing was run.*no JSON/);
    assert.match((await call("{}", "nix")).content, /There is no tool "nix"/);
    const custom = await openAiAnswer(tools, { id: "1", custom: { name: "own" } });
    assert.match(custom.content, /There is no tool "own"/);
  });

  it("for OpenAI's responses answers a call by an item", async () => {
    const [tool] = openAiResponsesTools(tools);
    assert.deepEqual([tool?.type, tool?.name, tool?.strict], ["function", "bash", false]);
    assert.equal(tool?.parameters, bash.schema);
    const call = (json: string, name = "bash") =>
      openAiResponsesAnswer(tools, { type: "function_call", call_id: "1", name, arguments: json });
    const type = "function_call_output";
    assert.deepEqual(await call(JSON.stringify(input)), { type, call_id: "1", output: OK });
    assert.match((await call("{}")).output, INVALID);
    assert.match((await call("{")).output, /nothing was run.*no JSON/);
    assert.match((await call("{}", "nix")).output, /There is no tool "nix"/);
  });

  it("for OpenAI agents and Mastra answers with text", async () => {
    const [agents] = agentsToolOptions(tools);
    assert.equal(await agents?.execute(input), OK);
    assert.deepEqual(agents?.parameters.required, ["command"]);
    assert.equal(agents?.errorFunction(undefined, new Error("why")), "why");
    const [mastra] = mastraToolOptions(tools);
    assert.equal(await mastra?.execute(input, {}), OK);
    assert.equal(await mastra?.execute({ context: input, runtimeContext: {} }, {}), OK);
  });

  it("for OpenAI's own shell tool answers how each command ended", async () => {
    const action = { commands: ["cd /tmp; echo hi", "pwd; (exit 2)", "sleep 9"], timeout_ms: 300 };
    const outputs = await openAiShell(tools, action, { shellId: "openai" });
    assert.deepEqual(outputs.slice(0, 2), [
      { stdout: "hi", stderr: "", outcome: { type: "exit", exit_code: 0 } },
      { stdout: "/tmp", stderr: "", outcome: { type: "exit", exit_code: 2 } },
    ]);
    assert.deepEqual(outputs[2]?.outcome, { type: "timeout" });
    assert.equal(outputs[2]?.stdout, "");
    assert.match(
      outputs[2]?.stderr ?? "",
      /^shellflow: still running as .*\nshellflow: Wait for it /,
    );
    const commands = ["echo '(no output)'", "echo", ""];
    const silent = await openAiShell(tools, { commands, timeout_ms: null }, { shellId: "silent" });
    assert.deepEqual(silent, [
      { stdout: "(no output)", stderr: "", outcome: { type: "exit", exit_code: 0 } },
      { stdout: "", stderr: "", outcome: { type: "exit", exit_code: 0 } },
      {
        stdout: "",
        stderr: "shellflow: Invalid input (nothing was run): command: it is empty",
        outcome: { type: "exit", exit_code: 126 },
      },
    ]);
    const [inAgents] = await openAiShell(tools, { commands: ["exit 3"] }, { shellId: "agents" });
    assert.deepEqual(inAgents?.outcome, { type: "exit", exitCode: 3 });
    await tools.call("stop_bash", { shellId: "openai" });
  });

  it("for Anthropic answers a use by a result block, and keeps the state of its own bash tool", async () => {
    assert.equal(anthropicTools(tools)[0]?.input_schema, bash.schema);
    const [helper] = anthropicToolOptions(tools);
    assert.equal(await helper?.run(input, { signal: null }), OK);
    assert.deepEqual(
      await anthropicAnswer(tools, { type: "tool_use", id: "u", name: "bash", input: {} }),
      {
        type: "tool_result",
        tool_use_id: "u",
        content: "Invalid input (nothing was run): command: it is missing",
        is_error: true,
      },
    );
    const own = anthropicBash(tools, { shellId: "anthropic" });
    // As the tool runner of its SDK calls it.
    await own.run({ command: "X=5" }, { signal: null, ...{ toolUseBlock: {} } });
    assert.equal(await own.run({ command: "echo [$X]" }), "[5]\nexit code 0");
    for (const input of [undefined, {}, { restart: "yes" }, { command: 5 }]) {
      assert.match(await own.run(input), /^Invalid input \(nothing was run\): command: /);
    }
    assert.equal(await own.run({ restart: true }), "The shell was restarted");
    assert.equal(await own.run({ command: "echo [$X]" }), "[]\nexit code 0");
  });

  it("for LangChain answers with text and data", async () => {
    const [[run, fields] = []] = langChainToolArguments(tools);
    const [text, details] = await run?.(input) ?? [];
    assert.equal(text, OK);
    assert.equal(details?.exitCode, 0);
    assert.equal(fields?.responseFormat, "content_and_artifact");
  });

  it("adds each notice where it came, and keeps it there in later calls", async () => {
    const inbox = new NoticeInbox(runtime.notices, "agent");
    const first = [{ role: "user", content: "go" }];
    const end = async (code: number) => {
      const slow = gate();
      const { details } = await bash.run({ command: `${slow.wait}; exit ${code}`, mode: "async" });
      slow.open();
      await runtime.wait(details.taskId ?? "");
    };
    await end(3);
    const [, three, ...others] = await withNotices(first, inbox);
    assert.deepEqual(others, []);
    assert.match(three?.content ?? "", /It ended: exit code 3/);
    // Of a framework, which keeps what it was given itself, as copies.
    const later = [...structuredClone(first), { role: "assistant", content: "hm" }];
    assert.deepEqual(await withNotices(later, inbox), [first[0], three, later[1]]);
    assert.deepEqual(await runtime.notices.drain("agent"), []);
    await end(4);
    const both = await withNotices(later, inbox);
    assert.deepEqual(both.slice(0, 3), [first[0], three, later[1]]);
    assert.match(both[3]?.content ?? "", /It ended: exit code 4/);
    assert.deepEqual(await withNotices(first, inbox), first, "another conversation");
  });

  it("adds no notice twice to messages that the caller keeps, and none where they were cut", () => {
    const placed = new PlacedNotices();
    const message = (content: string) => ({ role: "user", content });
    const [a, b, c] = [message("a"), message("b"), message("c")];
    placed.add([a], "notice");
    const kept = placed.insert([a], message);
    assert.deepEqual(kept, [a, message("notice")]);
    assert.deepEqual(placed.insert([...kept, b], message), [...kept, b]);
    assert.deepEqual(placed.insert([b, c, a], message), [b, c, a]);
  });
});
