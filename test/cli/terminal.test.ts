import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { open } from "../platform/terminal/open-terminal.ts";
import { runArgs } from "../run-args.ts";
import { living, marked } from "../runtime/state/world.ts";
import { until } from "../until.ts";
import { shellflow, spawned } from "./shellflow.ts";

const main = new URL("../../src/cli/main.ts", import.meta.url);
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

/** Run `shellflow run --pty` on a terminal at which a person sits, and then ask that how it is set. */
function sit(command: string, ...options: string[]) {
  const args = [...runArgs(main), "run", "--permission-mode", "bypass", "--pty", ...options];
  const line = quoted([process.execPath, ...args, "--", command]);
  return open(`${line}; echo "code $?"; stty -a | grep -o -- "-\\?icanon\\|-\\?echo \\|-\\?opost"`);
}

describe("a question of shellflow run", () => {
  for (const [key, keys, end] of [["Ctrl-C", "\x03", "code 130"], ["Ctrl-D", "\x04", "code 126"]]) {
    it(`is answered by ${key}: nothing runs, and the exit code says why`, async () => {
      const args = [...runArgs(main), "run", "--ask", "Bash(echo *)", "--", "echo it ran"];
      const it = open(`${quoted([process.execPath, ...args])}; echo "code $?"`);
      await until(() => it.text().includes("[N]o: "));
      await it.type(`${keys}`);
      await it.ended;
      const [, after = ""] = it.text().split("[N]o: ");
      assert.match(after, new RegExp(`\r\n${end}\r\n$`));
      assert.doesNotMatch(after, /^it ran/m);
    });
  }
});

describe("shellflow run --pty", () => {
  it("is the person's own terminal: size, keys, resize and exit code; and restores it", async () => {
    const it = sit(
      'trap "stty size; echo resized" WINCH; stty size; until read -t 0; do sleep 0.05; done; read line; echo "<$line>"; exit 3',
    );
    await until(() => it.text().includes("24 80"));
    it.terminal.resize({ columns: 100, rows: 30 });
    await until(() => it.text().includes("resized"));
    await it.type("hello\r");
    await it.ended;
    assert.match(
      it.text(),
      /24 80\r\n(.|\r|\n)*30 100\r\nresized\r\n(.|\r|\n)*<hello>\r\ncode 3\r\n/,
    );
    assert.match(it.text(), /\r\nopost\r\nicanon\r\necho \r\n$/);
  });

  it("learns a size that changed while the command was started", async () => {
    const it = sit('until [ "$(stty size)" = "30 100" ]; do sleep 0.05; done; echo it is');
    it.terminal.resize({ columns: 100, rows: 30 });
    await it.ended;
    assert.match(it.text(), /it is\r\ncode 0\r\n/);
  });

  it("gives Ctrl-C to the command, and Ctrl-Z to the shell that has jobs", async () => {
    const it = sit('PS1="$ " bash --norc -i');
    const sleep = marked();
    // Before it runs, the keys would go to the shell.
    const runs = () => until(() => living(sleep).some(({ state }) => state !== "T"));
    const prompt = (behind: string) =>
      until(() => it.text().slice(it.text().indexOf(behind)).endsWith("$ "));
    await prompt("");
    await it.type(`${sleep}\r`);
    await runs();
    await it.type("\x03");
    await prompt("^C");
    await it.type(`${sleep}\r`);
    await runs();
    await it.type("\x1a");
    await prompt("Stopped");
    await it.type("fg\r");
    await runs();
    await it.type("\x03exit 4\r");
    await it.ended;
    assert.match(it.text(), /code 4\r\nopost\r\nicanon\r\necho \r\n$/);
  });

  it("restores the terminal, and its screen, when it is ended", async () => {
    const it = sit('printf "\\e[?1049h\\e[?25lfull"; kill -TERM $PPID; sleep 50');
    await it.ended;
    const [, left = ""] = it.text().split("full");
    const [, shown = ""] = left.split("\x1b[?1049l");
    assert.match(shown.split("\x1b[?25h")[1] ?? "", /code 143\r\nopost\r\nicanon\r\necho \r\n$/);
  });

  it("says that there are no terminals, takes lines then, and leaves Ctrl-C a signal", async () => {
    const run = quoted([process.execPath, ...runArgs(main), "run", "--permission-mode", "bypass"]);
    const it = open([
      "export SHELLFLOW_NO_PTY=1",
      `${run} --pty -- 'read line; echo "<$line>"'`,
      `${run} --pty -- 'echo asleep; sleep 60'`,
      'echo "code $?"',
    ].join("; "));
    await until(() => it.text().includes("Runs without a terminal: "));
    await it.type("hello\r");
    await until(() => it.text().includes("asleep"));
    await it.type("\x03");
    await it.ended;
    assert.match(it.text(), /SHELLFLOW_NO_PTY switches terminals off\r\n(.|\r|\n)*<hello>\r\n/);
    assert.match(it.text(), /code 130\r\n$/);
  });

  it("has a terminal of 200 x 50 where there is none, and none together with a session", async () => {
    const { out } = await shellflow(["run", "--permission-mode", "bypass", "--pty", "stty size"]);
    assert.equal(out, "50 200\r\n");
    const reading = await shellflow([
      "run",
      "--permission-mode",
      "bypass",
      "--pty",
      "cat; echo end",
    ]);
    assert.deepEqual([reading.out, reading.code], ["end\r\n", 0]);
    const { code, err } = await shellflow(["run", "--pty", "--session", "a", "stty size"]);
    assert.equal(code, 2);
    assert.match(err, /'--pty' cannot be used with option '--session/);
  });
});

describe("shellflow run --input", () => {
  it("gives a command what comes through the pipe, to its end", async () => {
    const input = "line\n".repeat(400_000);
    const { out, code } = await spawned(
      ["run", "--permission-mode", "bypass", "--input", "--", "wc -c; exit 5"],
      { input },
    );
    assert.equal(out.trim(), String(input.length));
    assert.equal(code, 5);
  });

  it("is not needed for what a shell connects, of which a command takes what it reads", async () => {
    const run = quoted([process.execPath, ...runArgs(main), "run", "--permission-mode", "bypass"]);
    const it = open([
      `printf 'a\\nb\\n' | while read x; do ${run} -- "echo got $x"; done`,
      `printf 12 | { ${run} -- 'head -c 1; echo'; cat; echo; }`,
      `${run} --output-format json -- cat <<< three | grep -o 'three.n'`,
      `${run} -- 'cat; echo end'`,
    ].join("; "));
    await it.ended;
    // Deno clears the line of its progress, each time that it starts.
    // deno-lint-ignore no-control-regex -- a sequence begins with one
    const lines = it.text().replaceAll(/\x1b\[[\d;]*[A-Z]/g, "");
    assert.equal(lines, "got a\r\ngot b\r\n1\r\n2\r\nthree\\n\r\nend\r\n");
  });

  it("is inherited with reads that wait, as from a program that writes later", async () => {
    const flags = "$(sed -n s/flags:.//p /proc/self/fdinfo/0)";
    const line = `echo $((${flags} & 04000)); cat`;
    const run = quoted([process.execPath, ...runArgs(main), "run", "--permission-mode", "bypass"]);
    const it = open(`echo late | ${run} -- '${line}' | cat`);
    await it.ended;
    assert.match(it.text(), /0\r\nlate\r\n$/);
  });

  it("ends with a command that reads no more", async () => {
    const args = ["run", "--permission-mode", "bypass", "--input", "--", "head -n 1"];
    const it = open(`yes | ${quoted([process.execPath, ...runArgs(main), ...args])}; echo code $?`);
    await it.ended;
    assert.match(it.text().split("\x1b[J").at(-1) ?? "", /^y\r\ncode 0\r\n$/);
  });
});
