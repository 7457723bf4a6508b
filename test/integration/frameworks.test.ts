import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { aiSdkTools } from "../../src/integration/recipes/ai-sdk.ts";
import { anthropicToolOptions } from "../../src/integration/recipes/anthropic.ts";
import { langChainToolArguments } from "../../src/integration/recipes/langchain.ts";
import { mastraToolOptions } from "../../src/integration/recipes/mastra.ts";
import { withNotices } from "../../src/integration/recipes/notice-messages.ts";
import { agentsToolOptions } from "../../src/integration/recipes/openai-agents.ts";
import { openAiAnswer, openAiTools } from "../../src/integration/recipes/openai-chat.ts";
import {
  openAiResponsesAnswer,
  openAiResponsesTools,
} from "../../src/integration/recipes/openai-responses.ts";
import { type AgentsShellAction, openAiShell } from "../../src/integration/recipes/openai-shell.ts";
import { NoticeInbox } from "../../src/notification/notice-inbox.ts";
import { gate } from "../gate.ts";
import { ROOT } from "../root.ts";
import { toolWorld } from "../tool/world.ts";

/**
 * The recipes with the real frameworks, which are too large for each run of the tests:
 *
 *     SHELLFLOW_TEST_FRAMEWORKS=1 npm test -- frameworks
 *
 * installs them once, below node_modules/.cache.
 */
const wanted = process.env["SHELLFLOW_TEST_FRAMEWORKS"] !== undefined;
const PACKAGES = {
  "ai": "6.0.326",
  "openai": "6.49.0",
  "@anthropic-ai/sdk": "1.12.0",
  "@langchain/core": "1.4.0",
  "@mastra/core": "0.24.9",
  "@openai/agents": "0.20.0",
  "zod": "4",
};
const directory = fileURLToPath(new URL("node_modules/.cache/shellflow-frameworks", ROOT));

/** A module of a framework; its types are not here, as it is no dependency. */
function load(name: string) {
  if (!existsSync(join(directory, "node_modules"))) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "package.json"), '{"private": true}');
    const packages = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", ["install", "--prefix", directory, ...quiet, ...packages]);
  }
  const file = createRequire(join(directory, "package.json")).resolve(name);
  return import(pathToFileURL(file).href);
}

/** The world of one framework: a command has ended in the background, so that a notice is due. */
async function world() {
  const { tools, runtime } = await toolWorld();
  const slow = gate();
  const { details } = await tools.call("bash", { command: `${slow.wait}; exit 7`, mode: "async" });
  slow.open();
  await runtime.wait(details.taskId ?? "");
  return { tools, inbox: new NoticeInbox(runtime.notices, "agent"), runtime };
}

const INVALID = "Invalid input (nothing was run): command: it is missing";
const NOTICE = /It ended: exit code 7/;

/** Options for OpenAI's client, with a model that calls `bash` well, then with a wrong field, and is done. */
function openAiModel(answer: (json: string | undefined) => object) {
  const bodies: string[] = [];
  const calls = ['{"command":"echo hi"}', '{"comand":"echo no"}'];
  const options = {
    apiKey: "none",
    fetch: (_: unknown, { body }: { readonly body: string }) => {
      bodies.push(body);
      return Promise.resolve(Response.json(answer(calls.shift())));
    },
  };
  return { bodies, options };
}

describe("a framework", { skip: !wanted }, () => {
  it("AI SDK calls the tools, and refuses invalid input before anything runs", async () => {
    const { generateText, stepCountIs } = await load("ai");
    const { MockLanguageModelV3 } = await load("ai/test");
    const { tools, inbox, runtime } = await world();
    const prompts: string[] = [];
    const calls = ['{"command":"echo hi"}', '{"comand":"echo no"}'];
    const model = new MockLanguageModelV3({
      doGenerate: ({ prompt }: { readonly prompt: unknown }) => {
        prompts.push(JSON.stringify(prompt));
        const input = calls.shift();
        const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
        return Promise.resolve({
          content: input === undefined
            ? [{ type: "text", text: "done" }]
            : [{ type: "tool-call", toolCallId: `c${calls.length}`, toolName: "bash", input }],
          finishReason: { unified: input === undefined ? "stop" : "tool-calls", raw: undefined },
          usage,
          warnings: [],
        });
      },
    });
    const before = runtime.tasks.current.byId.size;
    const { text } = await generateText({
      model,
      prompt: "go",
      tools: aiSdkTools(tools),
      stopWhen: stepCountIs(5),
      prepareStep: async ({ messages }: { readonly messages: readonly unknown[] }) => ({
        messages: await withNotices(messages, inbox),
      }),
    });
    assert.equal(text, "done");
    assert.match(prompts[0] ?? "", NOTICE);
    assert.match(prompts[1] ?? "", NOTICE);
    assert.match(prompts[1] ?? "", /hi\\nexit code 0/);
    assert.match(prompts[2] ?? "", /command: it is missing/);
    assert.equal(runtime.tasks.current.byId.size, before + 1);
  });

  it("OpenAI agents calls the tools, and the model gets the reason why input was refused", async () => {
    const { Agent, run, setTracingDisabled, shellTool, tool, Usage } = await load("@openai/agents");
    setTracingDisabled(true);
    const { tools, inbox, runtime } = await world();
    const inputs: string[] = [];
    const calls = ['{"command":"echo hi"}', '{"comand":"echo no"}'];
    const own = { type: "shell_call", callId: "s", action: { commands: ["exit 3"] } };
    const model = {
      getResponse: ({ input }: { readonly input: unknown }) => {
        inputs.push(JSON.stringify(input));
        if (inputs.length === 3) return Promise.resolve({ usage: new Usage(), output: [own] });
        const json = calls.shift();
        const output = json === undefined
          ? {
            type: "message",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: "done" }],
          }
          : {
            type: "function_call",
            callId: `c${calls.length}`,
            name: "bash",
            status: "completed",
            arguments: json,
          };
        return Promise.resolve({ usage: new Usage(), output: [output] });
      },
    };
    const before = runtime.tasks.current.byId.size;
    const shell = shellTool({
      shell: {
        run: async (action: AgentsShellAction) => ({
          output: await openAiShell(tools, action, { shellId: "main" }),
        }),
      },
    });
    const options = agentsToolOptions(tools);
    const all = [...options.map((each) => tool(each)), shell];
    const agent = new Agent({ name: "a", model, tools: all });
    const { finalOutput } = await run(agent, "go", {
      callModelInputFilter: async (
        { modelData }: { readonly modelData: { readonly input: readonly unknown[] } },
      ) => ({ ...modelData, input: await withNotices(modelData.input, inbox) }),
    });
    assert.equal(finalOutput, "done");
    assert.match(inputs[0] ?? "", NOTICE);
    assert.match(inputs[3] ?? "", NOTICE);
    assert.match(inputs[1] ?? "", /hi\\nexit code 0/);
    assert.ok(inputs[2]?.includes(INVALID), inputs[2]);
    assert.match(inputs[3] ?? "", /"type":"exit","exitCode":3/);
    assert.equal(runtime.tasks.current.byId.size, before + 2);
  });

  it("Anthropic's tool runner calls the tools, and refuses invalid input", async () => {
    const { default: Anthropic } = await load("@anthropic-ai/sdk");
    const { betaStandardSchemaTool } = await load("@anthropic-ai/sdk/helpers/beta/standard-schema");
    const { tools, inbox, runtime } = await world();
    const bodies: string[] = [];
    const uses = [{ command: "echo hi" }, { comand: "echo no" }];
    const client = new Anthropic({
      apiKey: "none",
      fetch: (_: unknown, { body }: { readonly body: string }) => {
        bodies.push(body);
        const input = uses.shift();
        const content = input === undefined
          ? [{ type: "text", text: "done" }]
          : [{ type: "tool_use", id: `u${uses.length}`, name: "bash", input }];
        return Promise.resolve(Response.json({
          id: "m",
          type: "message",
          role: "assistant",
          model: "m",
          content,
          stop_reason: input === undefined ? "end_turn" : "tool_use",
          usage: { input_tokens: 1, output_tokens: 1 },
        }));
      },
    });
    const before = runtime.tasks.current.byId.size;
    const runner = client.beta.messages.toolRunner({
      model: "m",
      max_tokens: 9,
      messages: await withNotices([{ role: "user", content: "go" }], inbox),
      tools: anthropicToolOptions(tools).map((each) => betaStandardSchemaTool(each)),
    });
    const last = await runner.runUntilDone();
    assert.equal(last.content[0].text, "done");
    assert.match(bodies[0] ?? "", NOTICE);
    assert.match(bodies[1] ?? "", /hi\\nexit code 0/);
    assert.match(bodies[2] ?? "", /"is_error":true/);
    assert.equal(runtime.tasks.current.byId.size, before + 1);
  });

  it("LangChain calls the tools, and refuses invalid input", async () => {
    const { tool } = await load("@langchain/core/tools");
    const { tools, inbox, runtime } = await world();
    const [bash] = langChainToolArguments(tools).map(([run, fields]) => tool(run, fields));
    const before = runtime.tasks.current.byId.size;
    const message = await bash.invoke({
      type: "tool_call",
      id: "1",
      name: "bash",
      args: { command: "echo hi" },
    });
    assert.equal(message.content, "hi\nexit code 0");
    assert.equal(message.artifact.exitCode, 0);
    await assert.rejects(bash.invoke({ comand: "echo no" }));
    assert.equal(runtime.tasks.current.byId.size, before + 1);
    const [, notice] = await withNotices([{ role: "user", content: "go" }], inbox);
    assert.match(notice?.content ?? "", NOTICE);
  });

  it("Mastra calls the tools, and the model gets the reason why input was refused", async () => {
    const { Agent } = await load("@mastra/core/agent");
    const { createTool } = await load("@mastra/core/tools");
    const { tools } = await world();
    const prompts: string[] = [];
    const calls = ['{"command":"echo hi"}', '{"comand":"echo no"}'];
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    const model = {
      specificationVersion: "v2",
      provider: "none",
      modelId: "m",
      supportedUrls: {},
      doGenerate: ({ prompt }: { readonly prompt: unknown }) => {
        prompts.push(JSON.stringify(prompt));
        const input = calls.shift();
        const content = input === undefined
          ? [{ type: "text", text: "done" }]
          : [{ type: "tool-call", toolCallId: `c${calls.length}`, toolName: "bash", input }];
        const finishReason = input === undefined ? "stop" : "tool-calls";
        return Promise.resolve({ content, finishReason, usage, warnings: [] });
      },
    };
    const made = mastraToolOptions(tools).map((each) => [each.id, createTool(each)]);
    const all = Object.fromEntries(made);
    const agent = new Agent({ name: "a", instructions: "none", model, tools: all });
    const { text } = await agent.generate("go", { maxSteps: 5 });
    assert.equal(text, "done");
    assert.match(prompts[1] ?? "", /hi\\nexit code 0/);
    assert.ok(prompts[2]?.includes(INVALID), prompts[2]);
  });

  it("OpenAI's client calls the tools, and refuses invalid input", async () => {
    const { default: OpenAI } = await load("openai");
    const { tools, inbox, runtime } = await world();
    const { bodies, options } = openAiModel((json) => {
      const use = { id: "c", type: "function", function: { name: "bash", arguments: json } };
      const message = { role: "assistant", content: "done", ...(json && { tool_calls: [use] }) };
      return { id: "x", choices: [{ index: 0, message }] };
    });
    const client = new OpenAI(options);
    const before = runtime.tasks.current.byId.size;
    let messages: unknown[] = [{ role: "user", content: "go" }];
    for (;;) {
      messages = await withNotices(messages, inbox);
      const { choices: [{ message }] } = await client.chat.completions.create({
        model: "m",
        messages,
        tools: openAiTools(tools),
      });
      if (message.tool_calls === undefined) break;
      const answers = message.tool_calls.map((call: Parameters<typeof openAiAnswer>[1]) =>
        openAiAnswer(tools, call)
      );
      messages = [...messages, message, ...await Promise.all(answers)];
    }
    assert.match(bodies[0] ?? "", NOTICE);
    assert.match(bodies[1] ?? "", /hi\\nexit code 0/);
    assert.ok(bodies[2]?.includes(INVALID), bodies[2]);
    assert.equal(runtime.tasks.current.byId.size, before + 1);
  });

  it("OpenAI's client calls the tools by the Responses API", async () => {
    const { default: OpenAI } = await load("openai");
    const { tools, inbox } = await world();
    const { bodies, options } = openAiModel((json) => {
      const call = { type: "function_call", call_id: "c", name: "bash", arguments: json };
      const content = [{ type: "output_text", text: "done", annotations: [] }];
      const message = { type: "message", role: "assistant", content };
      return { id: "x", output: [json ? call : message] };
    });
    const client = new OpenAI(options);
    let input: unknown[] = [{ role: "user", content: "go" }];
    for (;;) {
      input = await withNotices(input, inbox);
      const { output } = await client.responses.create({
        model: "m",
        input,
        tools: openAiResponsesTools(tools),
      });
      const used = output.filter(({ type }: { readonly type: string }) => type === "function_call");
      if (used.length === 0) break;
      const answers = used.map((call: Parameters<typeof openAiResponsesAnswer>[1]) =>
        openAiResponsesAnswer(tools, call)
      );
      input = [...input, ...output, ...await Promise.all(answers)];
    }
    assert.match(bodies[0] ?? "", NOTICE);
    assert.match(bodies[1] ?? "", /"function_call_output".*hi\\nexit code 0/);
    assert.ok(bodies[2]?.includes(INVALID), bodies[2]);
  });
});
