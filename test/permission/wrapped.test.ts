import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { check } from "../../src/runtime/permission/check.ts";

const paths = { real: (path: string) => path };
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Constructs that run the command in them, whatever it is. */
const STRUCTURES: readonly ((command: string) => string)[] = [
  // Of `((rm))`, which is arithmetic, nothing runs; of `((rm ) )` all does.
  (c) => `(${c} )`,
  (c) => `{ ${c}; }`,
  (c) => `true && ${c}`,
  (c) => `true; ${c}`,
  (c) => `${c} & true`,
  (c) => `if ${c}; then true; fi`,
  (c) => `while ${c}; do break; done`,
  (c) => `for x in a b; do ${c}; done`,
  (c) => `case a in a) ${c};; esac`,
  (c) => `echo "$( ${c} )"`,
  (c) => `x=$( ${c} )`,
  (c) => `cat < <( ${c} )`,
  (c) => `f() { ${c}; }; f`,
  (c) => `bash -c ${quote(c)}`,
  (c) => `eval ${quote(c)}`,
  (c) => `sudo sh -c ${quote(c)}`,
  (c) => `true | { ${c}; }`,
  (c) => `{ ${c}; } > out 2>&1`,
  (c) => `[[ -n $( ${c} ) ]]`,
];
const WRAPPERS = [
  "timeout 5",
  "nice -n 3",
  "env A=b",
  "command",
  "nohup",
  "sudo -n",
  "time",
  "A=1",
  "xargs -0",
  "setsid",
  "stdbuf -o L",
];

describe("a denied command", () => {
  it("stays denied in any construct, behind any wrapper, beside any trouble", async () => {
    const command = fc.tuple(
      fc.array(fc.constantFrom(...WRAPPERS), { maxLength: 2 }),
      fc.constantFrom("rm -rf x", "/bin/rm x", "r\\m x", "'rm' \"$y\"", "rm"),
    ).map(([wrappers, bare]) => {
      // An assignment is one only where a command begins.
      const ordered = wrappers.toSorted((one, other) =>
        Number(other === "A=1") - Number(one === "A=1")
      );
      return [...ordered.filter((each, index) => each !== "A=1" || index === 0), bare].join(" ");
    });
    const line = fc.tuple(
      command,
      fc.array(fc.constantFrom(...STRUCTURES), { maxLength: 3 }),
      fc.boolean(),
    )
      .map(([bare, structures, trouble]) => {
        const whole = structures.reduce((inner, wrap) => wrap(inner), bare);
        return trouble ? `$unknown; ${whole}` : whole;
      });
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        const { decision, rule } = await check(
          { command: text, cwd: "/ws", rules: { allow: ["Bash"], deny: ["Bash(rm *)"] } },
          { paths },
        );
        assert.deepEqual([decision, rule], ["deny", "Bash(rm *)"], text);
      }),
      { numRuns: 400, seed: 3 },
    );
  });
});

describe("a program that could run what is denied", () => {
  const DENY = ["Bash(npm publish *)", "Bash(rm -rf *)"];
  const decide = async (command: string) =>
    (await check({ command, cwd: "/w", rules: { allow: ["Bash(*)"], deny: DENY } }, { paths }))
      .decision;

  it("is a question where its words name the program, and could name the subcommand", async () => {
    const lines = [
      "mywrap npm publish",
      "mywrap npm --prefix web publ",
      "mywrap 'npm publish'",
      "mywrap npm",
      'mywrap npm "$verb"',
      "mywrap 'cd web && npm' publish",
      "TOOL=npm mywrap publish",
      "mywrap rm x",
    ];
    for (const line of lines) assert.equal(await decide(line), "ask", line);
  });

  it("is none where they spell another subcommand, or what it starts is judged by itself", async () => {
    const lines = [
      "mywrap npm test",
      "docker run --rm app npm test",
      "docker compose exec web sh -c 'npm ci'",
      "bash -c 'npm test'",
      "tmux new-session -d 'npm run dev'",
      `t=$(mktemp); trap 'rm -f "$t"' EXIT`,
    ];
    for (const line of lines) assert.equal(await decide(line), "allow", line);
  });
});
