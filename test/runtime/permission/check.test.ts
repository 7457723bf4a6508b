import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { check, checkLine, type CheckRequest } from "../../../src/runtime/permission/check.ts";
import { createPolicy } from "../../../src/runtime/permission/create-policy.ts";

const paths = { real: (path: string) => path };

describe("a check", () => {
  it("tells the decision, its rule, its place and what the line would touch", async () => {
    const answer = await check({
      id: "a",
      rules: { allow: ["Bash(cat *)"], deny: ["Bash(rm *)"] },
      cwd: "/ws",
      command: "cat a > b; rm c",
    }, { paths });
    assert.deepEqual(answer, {
      id: "a",
      decision: "deny",
      rule: "Bash(rm *)",
      reason: '"Bash(rm *)" denies it',
      span: { start: 11, end: 15 },
      analysis: { certainty: "complete" },
      commands: [{ argv: ["cat", "a"] }, { argv: ["rm", "c"] }],
      reads: ["/ws/a"],
      writes: ["/ws/b", "/ws/c"],
      dynamic: false,
    });
  });

  it("takes the state of a shell for a fact", async () => {
    const rules = { allow: ["Bash(git *)"] };
    const decide = async (
      state: { functions?: string[]; aliases?: string[]; variables?: string[] },
    ) => (await check({ rules, cwd: "/ws", command: "git log", state }, { paths })).decision;
    assert.equal(await decide({}), "allow");
    assert.equal(await decide({ functions: ["git"] }), "ask");
    assert.equal(await decide({ aliases: ["git"] }), "ask");
    assert.equal(await decide({ variables: ["PATH"] }), "ask");
    assert.equal(await decide({ functions: ["other"], variables: ["FOO"] }), "allow");
  });

  it("follows links out of the workspace", async () => {
    const linked = { real: (path: string) => path.replace("/ws/link", "/etc") };
    const decide = async (command: string) =>
      (await check({ rules: { allow: ["Bash(touch *)"] }, cwd: "/ws", command }, { paths: linked }))
        .decision;
    assert.equal(await decide("touch a"), "allow");
    assert.equal(await decide("touch link/x"), "ask");
    const rules = { allow: ["Bash(touch *)"] };
    const { reason } = await check({ rules, cwd: "/ws", command: "touch link/x" }, {
      paths: linked,
    });
    assert.equal(
      reason,
      '"touch" writes "/ws/link/x", which leads to "/etc/x", outside the workspace',
    );
    const there = await check({ workspace: "/ws", cwd: "/ws/link", command: "ls" }, {
      paths: linked,
    });
    assert.equal(
      there.reason,
      'it runs in "/ws/link", which leads to "/etc", outside the workspace',
    );
  });

  it("takes a workspace that is named by a link for the directory that it leads to", async () => {
    const linked = {
      real: (path: string) =>
        path.replace(/^\/ws(?=\/|$)/, "/data/ws").replace("/ws/alias", "/ws/kept"),
    };
    const decide = async (command: string, cwd: string) => {
      const rules = { allow: ["Bash(*)"] };
      const ignore = ["/kept"];
      const request = { rules, ignore, workspace: "/ws", cwd, command };
      const { decision, reason } = await check(request, { paths: linked });
      return decision === "allow" ? decision : reason;
    };
    for (const cwd of ["/ws", "/data/ws"]) {
      assert.equal(await decide("ls", cwd), "allow");
      assert.equal(await decide("cat src/x", cwd), "allow");
      assert.equal(await decide("cat /data/ws/x", cwd), "allow");
      assert.match(await decide("cat ../y", cwd), /"\/(?:data\/)?y", which is outside/);
      for (const path of ["kept/x", "alias/x", "/data/ws/kept/x", "/ws/kept/x"]) {
        assert.match(await decide(`cat ${path}`, cwd), /which the ignore file names/);
      }
      assert.match(await decide("rm -rf /data/ws", cwd), /deletes everything/);
      assert.match(await decide("touch /data/ws/.git/hooks/x", cwd), /other programs run/);
    }
    assert.match(await decide("ls", "/data"), /it runs in "\/data", which is outside/);
  });

  it("asks about a line that runs outside of the workspace, where it does more than print", async () => {
    const about = async (command: string, cwd: string, mode?: "plan") =>
      (await check({
        ...(mode && { mode }),
        rules: { allow: ["Bash(*)"] },
        workspace: "/ws",
        directories: ["/data"],
        cwd,
        command,
      }, { paths })).reason;
    const outside = 'it runs in "/home/me", which is outside the workspace';
    for (const command of ["ls", "grep -r x", "make", "git status", "true && find"]) {
      assert.equal(await about(command, "/home/me"), outside);
      assert.doesNotMatch(await about(command, "/ws/src"), /outside/);
      assert.doesNotMatch(await about(command, "/data"), /outside/);
    }
    assert.equal(await about("ls", "/home/me", "plan"), outside);
    assert.equal(await about("pwd; echo hi", "/home/me"), "covered by Bash(*)");
  });

  it("answers a line of JSON, and tells what is wrong with one", async () => {
    const line = JSON.stringify({
      id: 7,
      cwd: "/ws",
      command: "ls",
      rules: { allow: ["Bash(ls)"] },
    });
    const answer = await checkLine(line, { paths });
    assert.ok("decision" in answer);
    assert.deepEqual([answer.id, answer.decision], [7, "allow"]);
    for (
      const broken of [
        "{",
        "[]",
        '{"command":"ls","cwd":"x"}',
        '{"command":"ls","cwd":"/ws","rules":{"deny":["Bash("]}}',
      ]
    ) {
      const failure = await checkLine(broken, { paths });
      assert.ok("error" in failure, broken);
    }
    const wrong = await checkLine('{"id":7,"command":"ls","cwd":"/ws","x":1}', { paths });
    assert.ok("error" in wrong);
    assert.equal(wrong.id, 7);
    assert.match(wrong.error, /there are rules, .*, state$/);
  });

  it("leaves out the notes that lines of a set of tests carry", async () => {
    const touched = { reads: [], writes: ["/ws/a"], dynamic: false };
    const notes = { category: "separator", expect: "ask", why: "no rule", ...touched };
    const line = JSON.stringify({ id: 1, cwd: "/ws", command: "x", ...notes });
    const answer = await checkLine(line, { paths });
    assert.ok("decision" in answer && answer.decision === "ask");
  });

  it("gives a danger, or a place outside, as the reason before that no rule covers it", async () => {
    const reason = async (command: string) =>
      (await check({ cwd: "/ws", command }, { paths })).reason;
    assert.match(await reason("touch z; git push --force"), /overwrites or deletes/);
    assert.match(await reason("touch z; echo a > /etc/hosts"), /outside the workspace$/);
    assert.equal(await reason("touch z"), 'no rule covers "touch z"');
  });

  it("names the tool that serves a command better, and all of the command", async () => {
    const intercept = { tools: ["read", "write"] };
    const about = async (command: string) => {
      const { decision, tool, reason } = await check({ cwd: "/ws", command, intercept }, { paths });
      return [decision, tool, /instead of "(.*)"\. /.exec(reason)?.[1]];
    };
    assert.deepEqual(await about("cat a"), ["deny", "read", "cat a"]);
    assert.deepEqual(await about("echo hi > 'a b'"), ["deny", "write", "echo hi > 'a b'"]);
  });

  it("refuses what it does not know or cannot use, as a policy does, by field and value", async () => {
    const line = { cwd: "/ws", command: "ls" };
    for (
      const [wrong, message] of [
        [
          { rules: { denny: ["Bash(rm *)"] } },
          /with rules\.denny \["Bash.*: there is no such option; there are allow, ask, deny$/,
        ],
        [{ rules: { allow: "Bash(ls)" } }, /with rules\.allow "Bash\(ls\)": /],
        [{ rules: { deny: [null] } }, /with rules\.deny\.0 null: /],
        [
          { rules: { deny: ["Bash(rm)", "Bash("] } },
          /with rules\.deny\.1 "Bash\(": it is neither /,
        ],
        [{ deny: ["Bash(rm *)"] }, /with deny \[.*: there is no such option; there are rules/],
        [{ mode: "Plan" }, /with mode "Plan": /],
        [{ readFreely: "false" }, /with readFreely "false": /],
        [{ workspace: "ws" }, /with workspace "ws": it must be absolute/],
        [{ directories: ["a"] }, /with directories\.0 "a": it must be absolute/],
        [{ accept: ["git-psuh"] }, /accept "git-psuh": there is no such name/],
        [{ ignore: "*.x" }, /with ignore "\*\.x": /],
      ] as const
    ) {
      const error = { name: "TypeError", message };
      const given = wrong as object as CheckRequest;
      assert.throws(() => createPolicy(given), error);
      await assert.rejects(check({ ...line, ...given }, { paths }), error);
      assert.ok("error" in await checkLine(JSON.stringify({ ...line, ...wrong }), { paths }));
    }
    const wrong = { command: 5 } as object as CheckRequest;
    await assert.rejects(check({ ...line, ...wrong }), { message: /with command 5: / });
    await assert.rejects(check({ ...line, cwd: "ws" }), { message: /with cwd "ws": it must be/ });
  });
});
