import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { check } from "../../src/runtime/permission/check.ts";
import { GROUPS } from "./cases.ts";

interface Sample {
  readonly id: string;
  readonly why: string;
  readonly category: string;
  readonly command: string;
  readonly expect: string | readonly string[];
  readonly rules: { readonly allow: string[]; readonly ask: string[]; readonly deny: string[] };
  readonly cwd: string;
  readonly workspace: string;
}

const paths = { real: (path: string) => path };

describe("a judgement", () => {
  for (const { about, rows, cwd = "/ws", allow = [], ask = [], deny = [], ...rest } of GROUPS) {
    it(`is right about ${about}`, async () => {
      const wrong: string[] = [];
      for (const [wanted, command] of rows) {
        const answer = await check(
          { command, cwd, workspace: "/ws", rules: { allow, ask, deny }, ...rest },
          { paths },
        );
        const right = wanted === "no" ? answer.decision !== "allow" : answer.decision === wanted;
        if (!right) {
          wrong.push(
            `${JSON.stringify(command)}: ${answer.decision}, ${answer.reason}; not ${wanted}`,
          );
        }
      }
      assert.deepEqual(wrong, []);
    });
  }

  it("takes a word behind a slash for a path only where its first part is there", async () => {
    const rules = { allow: ["Bash(*)"] };
    const exists = (path: string) => path === "/etc" || path === "/srv";
    const decide = async (command: string) =>
      (await check({ command, cwd: "/ws", rules }, { paths: { ...paths, exists } })).decision;
    for (
      const command of ["kubectl get --raw /healthz", "npx jest -t '/users'", "x --base=/app/"]
    ) {
      assert.equal(await decide(command), "allow", command);
    }
    for (const command of ["x /etc/y", "x --base=/srv/", "x /e*/y", "x /.ssh/id", "cat /app/y"]) {
      assert.equal(await decide(command), "ask", command);
    }
  });

  it("goes on from a directory that is there, or that the line has made", async () => {
    const rules = { allow: ["Bash(*)"] };
    const place = (path: string) => /^\/ws(?:\/web)?$/.test(path) ? "directory" : "free";
    const decide = async (command: string) =>
      (await check({ command, cwd: "/ws", rules }, { paths: { ...paths, place } })).decision;
    for (
      const command of [
        "cd web; cat ../x",
        "set -e; mkdir -p build && cd build\ncmake ..",
        "mkdir build && cd build && cmake ..",
        "mkdir build; cd build; cmake ..",
        "(cd web; cp -r a ../b)",
      ]
    ) {
      assert.equal(await decide(command), "allow", command);
    }
    for (
      const command of [
        "cd gone; cat ../x",
        "rm -r web; cd web; cat ../x",
        "(sleep 1; mv web x) & cd web; cat ../x",
        "trap 'rm -r web' DEBUG; cd web; cat ../x",
        "readonly OLDPWD; cd web; cat ../x",
        "readonly A; A=1 cd web; cat ../x",
        "for i in 1 2; do cd web; cat ../x; mv ../web ../y; done",
        "> build; mkdir -p build; cd build; cat ../x",
        "umask 777; mkdir -p build; cd build; cat ../x",
        "mkdir -m 0 build; mkdir -p build; cd build; cat ../x",
        "mkdir build; mkdir build && cd build; cat ../x",
        "mkdir gone/build; cd gone/build; cat ../../x",
        "false && mkdir -p build; cd build; cat ../x",
        "cd web; cat ../../x",
      ]
    ) {
      assert.equal(await decide(command), "ask", command);
    }
  });

  const samples = readFileSync(new URL("samples.jsonl", import.meta.url), "utf8").trim().split(
    "\n",
  );
  it(`is right about ${samples.length} samples`, async () => {
    const wrong: string[] = [];
    for (const line of samples) {
      const { expect, why: _, category: __, ...request }: Sample = JSON.parse(line);
      const { decision, reason } = await check(request, { paths });
      if (![expect].flat().includes(decision)) {
        wrong.push(`${request.id}: ${decision}, ${reason}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  const more = readFileSync(new URL("more-cases.jsonl", import.meta.url), "utf8").trim().split(
    "\n",
  );
  it(`is right about ${more.length} more lines of every class`, async () => {
    const wrong: string[] = [];
    for (const line of more) {
      const { expect, ...request } = JSON.parse(line);
      const { decision, reason } = await check({ cwd: "/ws", ...request }, { paths });
      if (!expect.includes(decision)) wrong.push(`${request.command}: ${decision}, ${reason}`);
    }
    assert.deepEqual(wrong, []);
  });
});
