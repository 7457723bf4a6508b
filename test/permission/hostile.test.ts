import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { analyse } from "../../src/command/analyse.ts";
import { type FoundProgram, Programs } from "../../src/command/program/programs.ts";
import { judge } from "../../src/permission/judge.ts";
import { createPolicy } from "../../src/permission/policy.ts";
import { findDenied } from "../../src/permission/rules/restricted.ts";
import { readRules, type Rule } from "../../src/permission/rules/rule.ts";
import { thinned } from "../sized.ts";

/** Fill 8 kB with a text. */
const full = (text: string) => text.repeat(Math.ceil(8_000 / text.length));

const HOSTILE: readonly string[] = [
  ...["(", "{ ", "$(", "`", '"$(', "${x:-", "$((", "[[ (", "if true; then ", "case x in x) ", "<("],
  ...["{a,b}", "{a,{b,", "a=$a$a; ", "f() { f; f; }; f; ", "cd a || cd b; ", "while cd ..; do "],
  ...[
    "sudo ",
    "sudo -Z ",
    "npm exec ",
    "kubectl exec ",
    "ssh a ",
    "env A=1 ",
    "xargs ",
    "nice -n 1 ",
    "find . -exec ",
    "bash -c '",
    "eval ",
  ],
  ...[
    "<<E\n",
    "a | ",
    "a && ",
    "a & ",
    "> $x ",
    "*/",
    "../",
    "~/",
    "\\\n",
    "'' ",
    "$'\\x41' ",
    "a[$i]=",
  ],
  ...["t=$(mktemp -d); trap 'rm -f $t' EXIT; ", "mkdir -p d && cd d; ", "pushd a && b && popd; "],
  ...[
    "gh pr checkout 42 && npm ci; ",
    "x=${1:-a}; for i in 1 2; do x=$x$i; continue; done; ",
    "IFS=a; ",
  ],
  ...["trap 'x' EXIT; ", "x=(a b); ", "export A=b; ", "set -- a; ", "pushd a; popd; ", "read x; "],
].map(full).concat(
  "sudo -Q " + full("eval "),
  "env -Q " + full("{1..9} "),
  "docker -v " + full("a:"),
  ...[
    (at: number) => `f${at}() { f${at - 1}; f${at - 1} $1; }; `,
    (at: number) => `for x${at} in $x${at + 1} b; do y=$x${at}; `,
    (at: number) => `cd d${at} && `,
    (at: number) => `v${at}=$v${at - 1}x && `,
    (at: number) => `case $x in a${at}) y=${at};; b|c) y=$y$x;; *) x=$y;; esac; `,
  ].map((unit) => Array.from({ length: 200 }, (_, at) => unit(at)).join("")),
);

/** Counts what an analysis looks up: each step of the walk that finds a command, and each path. */
class CountingPrograms extends Programs {
  count = 0;
  words = 0;

  override find(words: readonly string[]): FoundProgram | undefined {
    this.count++;
    this.words += words.length;
    return super.find(words);
  }
}

describe("hostile lines of 8 kB", () => {
  const programs = new CountingPrograms();
  for (const command of thinned(HOSTILE, 4)) {
    it(`take little work: ${JSON.stringify(command.slice(0, 20))}`, () => {
      programs.count = 0;
      programs.words = 0;
      let followed = 0;
      const paths = { real: (path: string) => (followed++, path) };
      const analysis = analyse(command, { cwd: "/ws" }, { programs });
      judge(analysis, createPolicy({ rules: { allow: ["Bash(*)"] } }), { cwd: "/ws", paths });
      assert.ok(programs.count <= 5_000, `${programs.count} commands were looked up`);
      assert.ok(programs.words <= 50_000, `${programs.words} words were looked at`);
      assert.ok(followed <= 5_000, `${followed} paths were followed`);
    });
  }

  const asked: Readonly<Record<string, [command: string, reason: RegExp]>> = {
    "make more of a download than is compared": [
      Array.from({ length: 250 }, (_, at) => `curl -o *a${at}*b u; sh *b*${at}; `).join(""),
      /more files than are compared/,
    ],
    "name more in a search than is followed": [
      `find . ${"-name a -o -name b -o ".repeat(40)} -name c -delete`,
      /"find" deletes what it finds/,
    ],
    "set more variables than are compared after each command": [
      Array.from({ length: 700 }, (_, at) => `v${at}=$1; `).join(""),
      /more commands than are followed/,
    ],
  };
  for (const [what, [command, reason]] of Object.entries(asked)) {
    it(`are asked about where they ${what}`, () => {
      const policy = createPolicy({ rules: { allow: ["Bash(*)"] } });
      const paths = { real: (path: string) => path };
      const verdict = judge(analyse(command, { cwd: "/ws" }), policy, { cwd: "/ws", paths });
      assert.equal(verdict.decision, "ask");
      assert.match(verdict.reason, reason);
    });
  }

  const long: Readonly<Record<string, string>> = {
    "many commands with many options": `git push ${"-a b,c ".repeat(10)};`.repeat(100),
    "a long list": `git push ${"a,".repeat(4500)}`,
    "options alone": `git push ${"-a b ".repeat(1800)}`,
  };
  for (const [what, command] of Object.entries(long)) {
    it(`are asked about where rules would be compared with too many forms of ${what}`, () => {
      const deny = Array.from({ length: 50 }, (_, at) => `Bash(git push o${at} a b c d e f *)`);
      const policy = createPolicy({ rules: { allow: ["Bash(*)"], deny } });
      const paths = { real: (path: string) => path };
      const analysis = analyse(command, { cwd: "/ws" });
      let spelled = 0;
      const spellOut = (words: readonly string[]) => {
        spelled += words.length;
        return words;
      };
      const verdict = judge(analysis, { ...policy, spellOut }, { cwd: "/ws", paths });
      assert.equal(verdict.decision, "ask");
      assert.ok(spelled < 200_000, `${spelled} words`);
    });
  }

  it("are compared with a rule in few forms, however many options stand in front of a subcommand", () => {
    const command = `gcloud ${"-a b ".repeat(60)}compute -c d delete vm`;
    const analysis = analyse(command, { cwd: "/ws" });
    let forms = 0;
    const counting = readRules("Bash(gcloud compute delete *)").map((rule): Rule => ({
      ...rule,
      match: (words) => {
        forms++;
        return rule.match(words);
      },
    }));
    findDenied(analysis, { ...createPolicy(), deny: counting });
    assert.ok(forms <= 1_000, `${forms} forms were compared`);
    const rules = { allow: ["Bash(*)"], deny: ["Bash(gcloud compute delete *)"] };
    const paths = { real: (path: string) => path };
    const decide = (mode: "default" | "bypass") =>
      judge(analysis, createPolicy({ rules, mode }), { cwd: "/ws", paths }).decision;
    assert.equal(decide("default"), "ask");
    assert.equal(decide("bypass"), "deny");
  });

  it("hide nothing behind what is followed", () => {
    for (const unit of ["a;", "(a);", "env a;", "nice a b;", "timeout 1 a;", "a | b;"]) {
      const analysis = analyse(`${full(unit)}cat /etc/passwd`, { cwd: "/ws" });
      assert.equal(analysis.certainty, "opaque", unit);
    }
  });
});
