import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { firstValueFrom, toArray } from "rxjs";
import { createRuntime } from "../../../src/runtime/create.ts";
import { playback } from "../../../src/replay/replay-executor.ts";
import { RECORD, recordingsOf } from "../../../src/replay/recording.ts";
import { gate } from "../../gate.ts";
import { until } from "../../until.ts";
import { terminalWorld } from "./world.ts";

describe("the screen of a command", () => {
  it("shows text, styles, cursor and title", async () => {
    const { runtime, start } = await terminalWorld();
    const more = gate();
    const it = await start(
      `printf 'a\\n\\e[31;1mred\\e[0m\\n\\e]0;here\\a'; ${more.wait}`,
    );
    await it.shows(/red/);
    const first = await runtime.screen(it.taskId, { styled: true });
    assert.deepEqual(first.lines.slice(0, 3), ["a", "red", ""]);
    assert.equal(first.title, "here");
    assert.deepEqual(first.cursor, { row: 2, column: 0, visible: true });
    assert.deepEqual(first.styled?.[1]?.[0], { text: "red", style: { foreground: 1, bold: true } });
    more.open(1);
    await it.result;
  });

  it("is the same at any event of its log, after its end, and in a replay", async () => {
    const { runtime, start } = await terminalWorld({ output: RECORD });
    const recorded = firstValueFrom(runtime.events.pipe(toArray()));
    const it = await start("vim -u NONE -i NONE -n", { env: { LANG: "C.UTF-8" } });
    const seen = [];
    for (const keys of ["ione{enter}two{esc}", "yyp", ":set nu{enter}", "{ctrl-g}"]) {
      await it.waits();
      await it.type(keys);
      await it.waits();
      seen.push(await runtime.screen(it.taskId));
    }
    await runtime.resize(it.taskId, { columns: 60, rows: 20 });
    await it.shows(/2 two/);
    await it.waits();
    await it.type("x");
    await it.waits();
    seen.push(await runtime.screen(it.taskId));
    await it.type(":q!{enter}");
    await it.result;
    for (const screen of seen) {
      assert.deepEqual(await runtime.screen(it.taskId, { offset: screen.offset }), screen);
    }
    const last = await runtime.screen(it.taskId);
    assert.deepEqual(last.size, { columns: 60, rows: 20 });
    await assert.rejects(
      runtime.screen(it.taskId, { offset: 10 ** 9 }),
      /its output has \d+ bytes/,
    );
    await runtime.close();
    const player = await createRuntime({
      mode: "bypass",
      ...playback(recordingsOf(await recorded)),
    });
    const again = player.start("vim -u NONE -i NONE -n", { pty: true });
    await again.output;
    // Once for each input of the recording.
    for (let i = 0; i < 6; i++) await player.input(again.taskId, "x");
    await again.result;
    await until(() => player.tasks.current.byId.get(again.taskId)?.closed === true);
    for (const screen of [...seen, last]) {
      assert.deepEqual(await player.screen(again.taskId, { offset: screen.offset }), screen);
    }
    await player.close();
  });
});
