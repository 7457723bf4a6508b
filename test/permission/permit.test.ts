import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { firstValueFrom, of, Subject, toArray } from "rxjs";
import { analyseOrder, parse } from "../../src/command/parse.ts";
import type { CommandAdmitted, CommandParsed, CommandRejected } from "../../src/event/command.ts";
import type { SimpleCommand } from "../../src/event/analysis.ts";
import type { Answer, PermissionEvent } from "../../src/event/permission.ts";
import type { Asker, Question } from "../../src/permission/asker.ts";
import type { SecondOpinion } from "../../src/permission/judge-twice.ts";
import { permit, type PermitOptions } from "../../src/permission/permit.ts";
import { createPolicy, type PolicyOptions } from "../../src/permission/policy.ts";
import { countingIds } from "../../src/platform/ids.ts";

type Event = CommandAdmitted | CommandParsed | CommandRejected | PermissionEvent;

const admitted = (command: string): CommandAdmitted => ({
  type: "command.admitted",
  commandId: "cmd_1",
  sessionId: "ses_1",
  order: { sessionId: "ses_1", command, cwd: "/ws", dialect: "bash", origin: "model", limits: {} },
});

const options = (
  policy: PolicyOptions,
  more: Partial<PermitOptions> = {},
): PermitOptions => ({
  policy: createPolicy(policy),
  ids: countingIds(),
  paths: { real: (path) => path },
  ...more,
});

async function events(command: string, given: PermitOptions): Promise<readonly Event[]> {
  const all: Event[] = await firstValueFrom(
    of(admitted(command)).pipe(parse(), permit(given), toArray()),
  );
  return all.slice(1);
}

const types = (all: readonly Event[]) => all.map(({ type }) => type);

describe("the stages parse and permit", () => {
  it("reject what cannot be a command", async () => {
    const [empty] = await events(" \n", options({}));
    assert.deepEqual(empty, {
      type: "command.rejected",
      commandId: "cmd_1",
      reason: 'Cannot run " \\n": it is empty',
    });
    const [nul] = await events("echo \0", options({}));
    assert.equal(nul?.type, "command.rejected");
  });

  it("grant what rules cover, with the rules", async () => {
    const given = options({ rules: { allow: ["Bash(echo *)"] } });
    const [, granted] = await events("echo hi", given);
    assert.ok(granted?.type === "permission.granted");
    assert.deepEqual([granted.by, granted.rules, granted.order.command], [
      "rule",
      ["Bash(echo *)"],
      "echo hi",
    ]);
  });

  it("deny the line that was asked for, by its own text", async () => {
    const { order, ...event } = admitted("cat foo");
    const folded: CommandAdmitted = {
      ...event,
      order: { ...order, requested: "cd src && cat foo" },
    };
    const given = options({ rules: { deny: ["Bash(cat *)"] } });
    const all: Event[] = await firstValueFrom(of(folded).pipe(parse(), permit(given), toArray()));
    const denied = all.at(-1);
    assert.ok(denied?.type === "permission.denied");
    assert.match(denied.reason, /^Cannot run "cd src && cat foo": /);
  });

  it("deny with rule, reason and span", async () => {
    const [, denied] = await events("echo a; rm b", options({ rules: { deny: ["Bash(rm *)"] } }));
    assert.ok(denied?.type === "permission.denied");
    assert.deepEqual([denied.rule, denied.span], ["Bash(rm *)", { start: 8, end: 12 }]);
    assert.match(denied.reason, /^Cannot run "echo a; rm b": .*denies it/);
  });

  it("deny what would be asked when nothing answers", async () => {
    const [, denied] = await events("ls", options({}));
    assert.ok(denied?.type === "permission.denied");
    assert.match(denied.reason, /: no rule covers "ls", and there is no one to ask$/);
  });

  it("look a second time at what would pass without a person, and at nothing else", async () => {
    const lines: string[] = [];
    const secondOpinion: SecondOpinion = (line, analysis) => {
      lines.push(line);
      const hidden = { ...analysis.commands[0], argv: ["rm", "x"] } as SimpleCommand;
      const commands = [...analysis.commands, hidden];
      const other = { ...analysis, commands, certainty: "opaque", reason: "unsure" } as const;
      return line.endsWith("later") ? Promise.resolve(other) : other;
    };
    const decided = async (line: string, policy: PolicyOptions) => {
      const all = await events(line, options(policy, { secondOpinion }));
      const last = all.at(-1);
      return last?.type === "permission.denied" ? last.rule ?? last.reason : last?.type;
    };
    const rules = { allow: ["Bash(echo *)"] };
    const unsure = 'Cannot run "echo": unsure, and there is no one to ask';
    assert.equal(await decided("echo", { rules }), unsure);
    assert.equal(await decided("echo later", { rules }), unsure.replace("echo", "echo later"));
    const deny = ["Bash(rm *)"];
    assert.equal(await decided("echo 1", { rules: { ...rules, deny } }), "Bash(rm *)");
    assert.equal(await decided("echo 2", { mode: "bypass", rules: { deny } }), "Bash(rm *)");
    const before = lines.length;
    assert.equal(await decided("echo 3", { mode: "bypass" }), "permission.granted");
    await decided("ls", { rules });
    await decided("rm y", { rules: { deny } });
    assert.equal(lines.length, before);
  });

  it("ask, and remember what is answered for the session and for always", async () => {
    const stored: string[] = [];
    const answers: Answer[] = ["once", { type: "session" }, "always"];
    const asked: Question[] = [];
    const asker: Asker = (question) => {
      asked.push(question);
      return Promise.resolve(answers.shift() ?? "deny");
    };
    const store = {
      rules: [],
      add: (rule: string) => {
        stored.push(rule);
        return Promise.resolve();
      },
    };
    const given = options({}, { asker, store });
    const granted = [
      "command.parsed",
      "permission.asked",
      "permission.answered",
      "permission.granted",
    ];
    assert.deepEqual(types(await events("git log", given)), granted);
    assert.deepEqual(types(await events("git log -3", given)), granted);
    assert.deepEqual(types(await events("git log -4", given)), [
      "command.parsed",
      "permission.granted",
    ]);
    assert.deepEqual(types(await events("ls", given)), granted);
    assert.deepEqual(types(await events("make", given)).at(-1), "permission.denied");
    assert.deepEqual(asked.map(({ suggestions }) => suggestions), [
      ["Bash(git log *)"],
      ["Bash(git log *)"],
      ["Bash(ls *)"],
      [],
    ]);
    assert.deepEqual(stored, ["Bash(ls *)"]);
  });

  it("never suggest a rule for what runs something else", async () => {
    const suggested: (readonly string[])[] = [];
    const asker: Asker = ({ suggestions }) => {
      suggested.push(suggestions);
      return Promise.resolve("always");
    };
    for (
      const command of [
        "sudo ls",
        "bash x.sh",
        "python3 x.py",
        "xargs ls",
        "npx x",

        "rm -rf /",
        "$x",
        "make",
        "uv run x",
      ]
    ) {
      await events(command, options({}, { asker }));
    }
    assert.deepEqual(suggested.flat(), []);
  });

  it("remember for the session what no rule can cover: the same line, and no other", async () => {
    const asked: string[] = [];
    const asker: Asker = ({ order, suggestions }) => {
      asked.push(order.command);
      assert.deepEqual(suggestions, []);
      return Promise.resolve(asked.length < 3 ? "session" : "deny");
    };
    const given = options({ rules: { allow: ["Bash(*)"] } }, { asker });
    for (
      const command of ["cat .env", "cat .env", "sudo ls", "cat .env", "sudo ls", "sudo ls -a"]
    ) {
      await events(command, given);
    }
    assert.deepEqual(asked, ["cat .env", "sudo ls", "sudo ls -a"]);
  });

  it("remember for the session also what the suggested rules leave open", async () => {
    const asked: (readonly string[])[] = [];
    const asker: Asker = ({ concerns }) => {
      asked.push(concerns.map(({ reason }) => reason));
      return Promise.resolve(asked.length < 2 ? "session" : "deny");
    };
    const given = options({}, { asker });
    const line = "echo hi > /etc/motd";
    const outside = 'a redirection writes "/etc/motd", which is outside the workspace';
    const types = [];
    for (const command of [line, line, "echo you > /etc/motd"]) {
      types.push((await events(command, given)).at(-1)?.type);
    }
    assert.deepEqual(types, ["permission.granted", "permission.granted", "permission.denied"]);
    // The rule covers `echo`; where it writes is a question of each line.
    assert.deepEqual(asked, [[outside, 'no rule covers "echo hi"'], [outside]]);
  });

  it("ask again about a line for a reason that was not answered", async () => {
    const asked: (readonly string[])[] = [];
    const asker: Asker = ({ concerns }) => {
      asked.push(concerns.map(({ reason }) => reason));
      return Promise.resolve("session");
    };
    let real = "/ws/a";
    const paths = { real: (path: string) => path === "/ws/a" ? real : path };
    const given = options({ rules: { allow: ["Bash(*)"] } }, { asker, paths });
    const line = "sudo cat a";
    for (const target of ["/ws/a", "/ws/a", "/etc/shadow", "/ws/a", "/etc/shadow"]) {
      real = target;
      await events(line, given);
    }
    const rights = "it changes the user or the rights of a command";
    const outside = '"cat" reads "/ws/a", which leads to "/etc/shadow", outside the workspace';
    assert.deepEqual(asked, [[rights], [rights, outside]]);
  });

  it("deny where the rule of an answer cannot be kept, and say so", async () => {
    const store = { rules: [], add: () => Promise.reject(new Error("no space left on device")) };
    const given = options({}, { asker: () => Promise.resolve("always"), store });
    const denied = (await events("git log", given)).at(-1);
    assert.ok(denied?.type === "permission.denied");
    assert.match(denied.reason, /its rule cannot be kept: no space left on device$/);
    assert.deepEqual(given.policy.allow, []);
  });

  it("look again after the answer", async () => {
    let link = "/ws/out";
    const asker: Asker = () => {
      link = "/etc/passwd";
      return Promise.resolve("once");
    };
    const paths = { real: (path: string) => path === "/ws/out" ? link : path };
    const all = await events(
      "touch out",
      options({ rules: { ask: ["Bash(touch *)"] } }, { asker, paths }),
    );
    const denied = all.at(-1);
    assert.ok(denied?.type === "permission.denied");
    assert.match(denied.reason, /changed while it was asked about: .*outside the workspace/);
  });

  it("analyse the line again after the answer: a directory that it enters can be gone", async () => {
    let place: "directory" | undefined = "directory";
    const asker: Asker = () => {
      place = undefined;
      return Promise.resolve("once");
    };
    const paths = { real: (path: string) => path, place: () => place };
    const given = options({ rules: { allow: ["Bash(*)"] } }, {
      asker,
      paths,
      analyse: (order) => analyseOrder(order, { paths }),
    });
    const all: Event[] = await firstValueFrom(
      of(admitted("cd web; echo x > ../a; git push -f"))
        .pipe(parse({ paths }), permit(given), toArray()),
    );
    const denied = all.at(-1);
    assert.ok(denied?.type === "permission.denied");
    assert.match(denied.reason, /changed while it was asked about: .*"\/a", which is outside/);
  });

  it("deny when asking fails", async () => {
    const asker: Asker = () => Promise.reject(new Error("no terminal"));
    const all = await events("ls", options({}, { asker }));
    assert.deepEqual(types(all), [
      "command.parsed",
      "permission.asked",
      "permission.withdrawn",
      "permission.denied",
    ]);
    const throws: Asker = () => {
      throw new Error("broken");
    };
    assert.equal(
      types(await events("ls", options({}, { asker: throws }))).at(-1),
      "permission.denied",
    );
  });

  it("deny for every answer that is none, with a reason", async () => {
    const given: readonly unknown[] = [
      undefined,
      null,
      false,
      true,
      0,
      "",
      "no",
      "yes",
      "Once",
      {},
      { allow: false },
      { type: "maybe" },
      { type: "once", allow: false },
      ["once"],
    ];
    for (const answer of given) {
      const policy = options({}, { asker: () => Promise.resolve(answer as Answer) });
      const all = await events("git log", policy);
      const denied = all.at(-1);
      assert.ok(denied?.type === "permission.denied", JSON.stringify(answer));
      assert.match(
        denied.reason,
        /the answer was no \(as .* is none of "once", "session", "always" and "deny"\)/,
      );
      assert.deepEqual(policy.policy.allow, []);
    }
  });

  it("record the reason of a denial", async () => {
    const asker: Asker = () => Promise.resolve({ type: "deny", reason: "not on a Friday" });
    const all = await events("git log", options({}, { asker }));
    const answered = all.find((event) => event.type === "permission.answered");
    assert.deepEqual(answered?.answer, { type: "deny", reason: "not on a Friday" });
    const denied = all.at(-1);
    assert.ok(denied?.type === "permission.denied");
    assert.match(denied.reason, /the answer was no \(not on a Friday\)/);
  });

  it("withdraw the question when its reader is gone, and suspend no other command", () => {
    let aborted = false;
    const asker: Asker = (_question, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(new Error("aborted"));
        });
      });
    const source = new Subject<CommandAdmitted>();
    const seen: string[] = [];
    const subscription = source.pipe(
      parse(),
      permit(options({ rules: { allow: ["Bash(echo *)"] } }, { asker })),
    ).subscribe((event: Event) => seen.push(event.type));
    source.next(admitted("ls"));
    source.next(admitted("echo a"));
    assert.deepEqual(seen.slice(2), [
      "permission.asked",
      "command.admitted",
      "command.parsed",
      "permission.granted",
    ]);
    assert.equal(aborted, false);
    subscription.unsubscribe();
    assert.equal(aborted, true);
  });
});
