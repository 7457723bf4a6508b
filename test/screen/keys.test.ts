import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeKeys, encodePaste, encodeText, type KeyModes } from "../../src/screen/keys.ts";

const usual: KeyModes = { applicationCursor: false, bracketedPaste: false, kittyKeyboard: 0 };

function all(cases: Readonly<Record<string, string>>, modes: KeyModes): void {
  for (const [notation, expected] of Object.entries(cases)) {
    assert.equal(JSON.stringify(encodeKeys(notation, modes)), JSON.stringify(expected), notation);
  }
}

describe("keys", () => {
  it("are encoded as xterm does", () => {
    all({
      "ls -l{enter}": "ls -l\r",
      "one\ntwo\r\n": "one\rtwo\r",
      "{up}{down}{right}{left}{home}{end}": "\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F",
      "{tab}{esc}{backspace}{space}": "\t\x1b\x7f ",
      "{delete}{insert}{pageup}{pagedown}": "\x1b[3~\x1b[2~\x1b[5~\x1b[6~",
      "{f1}{f4}{f5}{f6}{f10}{f11}{f12}": "\x1bOP\x1bOS\x1b[15~\x1b[17~\x1b[21~\x1b[23~\x1b[24~",
      "{ctrl-c}{ctrl-d}{CTRL-Z}{ctrl-space}{ctrl-[}{ctrl-\\}{ctrl-_}{ctrl-?}":
        "\x03\x04\x1a\0\x1b\x1c\x1f\x7f",
      "{alt-x}{alt-X}{alt-enter}{ctrl-alt-x}{alt-é}": "\x1bx\x1bX\x1b\r\x1b\x18\x1bé",
      "{shift-tab}{shift-a}{shift-left}{ctrl-right}{alt-f4}{ctrl-shift-delete}":
        "\x1b[ZA\x1b[1;2D\x1b[1;5C\x1b[1;3S\x1b[3;6~",
      '{"a": {}} {{x}} {name} {a} {enter {"': '{"a": {}} {{x}} {name} {a} {enter {"',
    }, usual);
  });

  it("are encoded as the program wants its cursor keys", () => {
    all({ "{up}{home}{ctrl-up}{f1}": "\x1bOA\x1bOH\x1b[1;5A\x1bOP" }, {
      ...usual,
      applicationCursor: true,
    });
  });

  it("differ by the keyboard protocol of kitty", () => {
    all({
      "aB{enter}{tab}{backspace}{up}{f5}": "aB\r\t\x7f\x1b[A\x1b[15~",
      "{esc}{ctrl-c}{alt-x}{alt-X}{ctrl-enter}{shift-tab}":
        "\x1b[27u\x1b[99;5u\x1b[120;3u\x1b[120;4u\x1b[13;5u\x1b[9;2u",
    }, { ...usual, kittyKeyboard: 1 });
    all({ "aB{enter}": "\x1b[97u\x1b[98;2u\x1b[13u" }, { ...usual, kittyKeyboard: 8 });
  });

  it("that no modifier goes with are an error", () => {
    const message = 'Cannot type "{ctrl-return}": there is no key "return"';
    assert.throws(() => encodeKeys("ok{ctrl-return}", usual), { message });
  });
});

describe("text", () => {
  const pasting = { ...usual, bracketedPaste: true };

  it("is typed, and pasted where it has several lines and the program wants that", () => {
    assert.equal(encodeText("{up}\n", pasting), "{up}\r");
    assert.equal(encodeText("one\ntwo\n", usual), "one\rtwo\r");
    const pasted = "\x1b[200~one\rtwo\x1b[201~\r";
    assert.equal(encodeText("one\ntwo\n", pasting), pasted);
    assert.equal(encodeKeys("{up}one\ntwo{enter}", pasting), `\x1b[A${pasted}`);
  });
});

describe("a paste", () => {
  it("stands between markers where the program wants them", () => {
    assert.equal(encodePaste("one\ntwo\n", usual), "one\rtwo\r");
    assert.equal(
      encodePaste("one\r\ntwo", { ...usual, bracketedPaste: true }),
      "\x1b[200~one\rtwo\x1b[201~",
    );
  });

  it("cannot end itself", () => {
    const text = "x\x1b[201~rm -rf /\n";
    assert.equal(
      encodePaste(text, { ...usual, bracketedPaste: true }),
      "\x1b[200~xrm -rf /\r\x1b[201~",
    );
    for (
      const nested of ["\x1b[20\x1b[201~1~", "\x1b\x1b[201~[201~", "\x1b\x1b[201~\x1b[201~[201~"]
    ) {
      const pasted = encodePaste(`x${nested}rm`, { ...usual, bracketedPaste: true });
      assert.equal(pasted.indexOf("\x1b[201~"), pasted.length - 6);
    }
  });
});
