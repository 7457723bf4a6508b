import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { check } from "../../src/runtime/permission/check.ts";

const paths = { real: (path: string) => path };

async function decide(command: string, deny: readonly string[] = []): Promise<string> {
  const rules = { allow: ["Bash(*)"], deny };
  const { decision } = await check({ command, cwd: "/ws", directories: ["/tmp"], rules }, {
    paths,
  });
  return decision;
}

describe("a script that a line writes and runs", () => {
  it("is judged as if it stood in the line", async () => {
    const scripts = [
      (text: string) => `echo '${text}' > a.sh; bash a.sh`,
      (text: string) => `cat > a.sh <<'E'\n${text}\nE\nchmod +x a.sh; ./a.sh`,
      (text: string) => `printf '%s\\n' '${text}' | tee a.sh && sh a.sh`,
      (text: string) => `echo '${text}' > a.sh; . ./a.sh`,
      (text: string) => `f=/tmp/x; echo '#!/usr/bin/env bash\n${text}' > "$f"; chmod +x "$f"; "$f"`,
    ];
    for (const script of scripts) {
      assert.equal(await decide(script("npm test")), "allow", script("npm test"));
      assert.equal(await decide(script("sudo id")), "ask", script("sudo id"));
      assert.equal(await decide(script("rm -r x"), ["Bash(rm *)"]), "deny", script("rm -r x"));
    }
    assert.equal(await decide("echo 'bash a.sh' > a.sh; bash a.sh"), "allow");
    assert.equal(await decide("echo 'sudo $1' > a.sh; bash a.sh id"), "ask");
    for (const options of ["-n +n", "-ni", "-n -i"]) {
      assert.equal(await decide(`echo 'sudo id' > a.sh; bash ${options} a.sh`), "ask", options);
    }
  });

  it("is code of the workspace where the line does not tell its text or its place", async () => {
    const lines = [
      "bash a.sh",
      "sed s/l/x/ a > b.sh; bash b.sh",
      "python gen.py > b.sh; bash b.sh",
      "echo 'sudo id' > a.sh; bash b.sh",
      "echo 'sudo id' > a.sh; bash -n a.sh",
      "echo 'sudo id' > a.sh; cp a.sh b.sh; bash b.sh",
      "cat > a.py <<'E'\nimport os; os.system('ls')\nE\npython3 a.py",
      "cat > test_a.py <<'E'\ndef test(x):\n  pass\nE\npytest test_a.py",
    ];
    for (const line of lines) assert.equal(await decide(line), "allow", line);
  });
});
