import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isPlainLine } from "../../src/shell/persistent/bash/plain-line.ts";

const PLAIN = [
  ...["echo hi", "echo", " echo  a ", "echo -e 'a\\nb' \"it's\"", "echo a=b ./c @d +e a'b c'd"],
  ...[":", "true x", "false", "pwd", "printf '%s %%\\n' a", "printf a", "echo '$x `y` !z'"],
];

const NOT: Readonly<Record<string, readonly string[]>> = {
  "an expansion": ['echo "$x"', "echo $x", "echo ~", "echo a:~", "echo *", "echo a?", "echo {a,b}"],
  "a substitution": ["echo `x`", 'echo "`x`"', "echo $(x)", "echo <(x)", "echo $((x))"],
  "another command": [
    "echo a; b",
    "echo a & b",
    "echo a | b",
    "echo a && b",
    "echo a\nb",
    "(echo)",
  ],
  "a redirection": ["echo a >f", "echo <f", "echo 2>&1"],
  "an escape": ["echo \\", "echo a\\\nb", 'echo "a\\"', "echo $'a'"],
  "history or a comment": ["echo !!", 'echo "!a"', "echo #a"],
  "a quote without end": ["echo 'a", 'echo "a', "echo 'a'\"b"],
  "an assignment": [
    "a=b echo",
    "printf -v a b",
    "printf %n PATH",
    "printf %'n' PATH",
    "printf -- a",
  ],
  "a format with more in it": ["printf '%(%s)T'", "printf %*d 1 2", "printf"],
  "a change of a variable in posix mode": ["pwd -P"],
  "another program": [
    "cd",
    "ls",
    "test a",
    "[ a ]",
    "/bin/echo a",
    "constructor",
    "eval a",
    "echo2",
  ],
  "more than is worth a look": [`echo ${"a".repeat(20_000_000)}`],
  "what is not ASCII": ["echo é", "echo\ta", "echo 'a\tb'", "echo \0", "echo a\u00a0b"],
};

describe("a line that changes nothing of its shell", () => {
  for (const line of PLAIN) {
    it(`is ${line}`, () => assert.ok(isPlainLine(line)));
  }
  for (const [what, lines] of Object.entries(NOT)) {
    it(`is none with ${what}`, () => assert.deepEqual(lines.filter(isPlainLine), []));
  }
});
