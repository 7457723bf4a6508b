import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { quotesOf } from "../../src/shell/quoted-place.ts";

const TEXT = "a b'c\"d$HOME`e`\\f;g";

describe("a text at a place of a line", () => {
  // Each prints what stands at @.
  const lines = [
    "printf %s @",
    "printf %s '@'",
    'printf %s "@"',
    "printf %s $'@'",
    `printf %s ''"@"''`,
    `printf '%s' "$(printf %s @)"`,
    `printf %s "$(printf %s "@")"`,
    `printf %s "$(printf %s '@')"`,
    "x='it is'; printf %s '@'",
    'x="say \\"hi\\""; printf %s "@"',
    `x="it's"; printf %s @`,
    "x=it\\'s; printf %s @",
    "x='a\\'; printf %s @",
    "x=$'it\\'s'; printf %s '@'",
    "x='a # b'; printf %s '@'",
    "# don't\nprintf %s @",
    "cat <<'E' >/dev/null\nit's\nE\nprintf %s @",
    'cat <<-E >/dev/null\nsay "hi\n\tE\nprintf %s @',
    `echo a#b >/dev/null; printf %s '@'`,
    "(cd /; printf %s @)",
    `x=$((1 + 2)); printf %s "@"`,
    `case a in a) printf %s "@" ;; esac`,
    "cat <<E | tr -d '\\n'\n@\nE",
    "cat <<'E' | tr -d '\\n'\n@\nE",
    'x=$(cat <<E\n@\nE\n); printf %s "$x"',
    'printf %s "${x:-"@"}"',
  ];
  for (const line of lines) {
    it(`is read as it is: ${JSON.stringify(line)}`, () => {
      const quoted = quotesOf(line)(line.indexOf("@"), TEXT);
      const command = line.replace("@", () => quoted);
      assert.equal(execFileSync("bash", ["-c", command], { encoding: "utf8" }), TEXT, command);
    });
  }

  it("needs no quotes where it has nothing that a shell would read", () => {
    assert.equal(quotesOf("cat @")(4, "/tmp/a-b.txt"), "/tmp/a-b.txt");
    assert.equal(quotesOf('cat "@"')(5, "/tmp/a-b.txt"), "/tmp/a-b.txt");
  });
});
