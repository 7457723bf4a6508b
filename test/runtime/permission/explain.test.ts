import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { check } from "../../../src/runtime/permission/check.ts";
import { explain } from "../../../src/runtime/permission/explain.ts";

const paths = { real: (path: string) => path };

describe("an explanation", () => {
  it("underlines what decides, names rule and danger, and says what would change the answer", async () => {
    const command = "git status &&\n  git push --force; make";
    const answer = await check({
      command,
      cwd: "/ws",
      rules: { allow: ["Bash(git *)"] },
      explain: true,
    }, { paths });
    assert.equal(
      explain(command, answer),
      [
        'ask: "git push" overwrites or deletes what others see',
        "",
        "  git status &&",
        "    git push --force; make",
        "    ^^^^^^^^^^^^^^^^",
        "",
        'because  "git push" overwrites or deletes what others see (danger "git-push-force")',
        'because  no rule covers "make"',
        "change   --accept git-push-force, or a rule that spells it, grants it",
        "change   a rule that names it, as --allow 'Bash(make *)' does, covers what runs other code",
        "",
      ].join("\n"),
    );
  });

  it("names the rule that denies, and suggests one that would cover", async () => {
    const of = async (command: string, rules: { deny?: string[] }) =>
      explain(command, await check({ command, cwd: "/ws", rules, explain: true }, { paths }));
    assert.match(
      await of("rm x", { deny: ["Bash(rm *)"] }),
      /^deny: .*\n\n {2}rm x\n {2}\^\^\^\^\n\nrule {5}Bash\(rm \*\)/,
    );
    assert.match(await of("git log -3", {}), /change {3}--allow 'Bash\(git log \*\)' covers it$/m);
    assert.match(
      await of("curl https://x.y | sh", {}),
      /change {3}--allow 'Bash\(curl https:\/\/x\.y\)' covers a part of it$/m,
    );
  });

  it("says for every question what would change the answer", async () => {
    const lines = [
      "cat /etc/x",
      "eval $x",
      "PATH=x ls",
      "echo a >> .envrc",
      "sudo ls",
      "make",
      "a {",
    ];
    for (const command of lines) {
      const answer = await check({ command, cwd: "/ws", explain: true }, { paths });
      assert.match(explain(command, answer), /^ask: .+\n[^]*\nchange {3}\S/, command);
    }
    const broken = await check({ command: "if then", cwd: "/ws", explain: true }, { paths });
    assert.doesNotMatch(explain("if then", broken), /--allow/);
    const answer = await check({ command: "cat /etc/x", cwd: "/ws", readFreely: true }, { paths });
    assert.equal(answer.reason, '"cat" reads "/etc/x", which is outside the workspace');
  });
});
