import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { check } from "../../src/runtime/permission/check.ts";

const VERSION = "1.2.3";
/** `/ws/VERSION` and `/ws/package.json` hold a version, `/ws/other/VERSION` does not. */
const paths = {
  real: (path: string) => path,
  version: (path: string) => /^\/ws\/(?:VERSION|package\.json)$/.test(path) ? VERSION : undefined,
};

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
      (text: string) => `echo '${text}' > a.sh; bash < a.sh`,
      (text: string) => `echo '${text}' > a.sh; . ./a.sh`,
      (text: string) => `bash a.sh & echo '${text}' > a.sh`,
      (text: string) => `d=$(mktemp -d); echo '${text}' > "$d/a.sh"; bash "$d/a.sh"`,
    ];
    for (const script of scripts) {
      assert.equal(await decide(script("npm test")), "allow", script("npm test"));
      assert.equal(await decide(script("sudo id")), "ask", script("sudo id"));
      assert.equal(await decide(script("rm -r x"), ["Bash(rm *)"]), "deny", script("rm -r x"));
    }
  });

  it("is a question where its text is known only at run time", async () => {
    const lines = [
      'echo "$X" > a.sh; bash a.sh',
      "base64 -d <<< bHMK > a.sh; bash a.sh",
      "echo ls > a; sed s/l/x/ a > b.sh; bash b.sh",
      "echo ls > a; mkdir d; cp a d; bash d/a",
      "printf 'su' > a.sh; printf 'do id' >> a.sh; bash a.sh",
      "exec > a.sh; echo ls; bash a.sh",
    ];
    for (const line of lines) assert.equal(await decide(line), "ask", line);
  });

  it("is code of the workspace where the line does not tell its text", async () => {
    const lines = [
      "bash a.sh",
      "sed s/l/x/ a > b.sh; bash b.sh",
      "python gen.py > b.sh; bash b.sh",
      "echo 'sudo id' > a.sh; bash b.sh",
      "echo 'sudo id' > a.sh; bash -n a.sh",
    ];
    for (const line of lines) assert.equal(await decide(line), "allow", line);
  });

  it("is searched for what starts programs in other languages", async () => {
    const line = (code: string) => `cat > a.py <<'E'\n${code}\nE\npython3 a.py`;
    assert.equal(await decide(line("print(1)")), "allow");
    assert.equal(await decide(line('import os; os.system("ls")')), "ask");
  });
});

describe("the version that a file of the project holds", () => {
  it("is known when the line is judged, as long as nothing has run before", async () => {
    const lines = [
      'IFS=. read -r a b c < VERSION; echo "$a.$((b + 1)).0"',
      'v=$(cat VERSION); IFS=. read -r a b c <<< "$v"; echo "$a.$b.$((c + 1))"',
      'v=$(jq -r .version package.json); echo "${v%.*}.$((${v##*.} + 1))"',
      'sed -i "s/^version = .*/version = $(cat VERSION)/" x.toml',
    ];
    for (const line of lines) {
      assert.equal(await decide(line), "allow", line);
      assert.equal(await decide(`./x; ${line}`), "ask", line);
      assert.equal(await decide(`cd other; ${line}`), "ask", line);
    }
  });
});
