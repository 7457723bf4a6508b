import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PipeRush } from "../../../src/platform/pipe/pipe-rush.ts";
import { openFiles } from "../../execution/world.ts";
import { withFifo } from "./fifo.ts";

const KB = 1024;
const canGrow = "Deno" in globalThis;
const bytes = (size: number, start = 0) => Uint8Array.from({ length: size }, (_, i) => start + i);

const opened = (path: string) => {
  const rush = PipeRush.tryOpen(path);
  assert.ok(rush !== undefined);
  return rush;
};

describe("a rush", () => {
  it("is none where the pipe cannot be opened", () => {
    assert.equal(PipeRush.tryOpen("/proc/self/fd/none"), undefined);
  });

  it("gives what is there at once, nothing while there is nothing, and no byte at the end", () =>
    withFifo(({ path, write, end }) => {
      const rush = opened(path);
      assert.equal(rush.next(), undefined);
      write(bytes(100));
      write(bytes(100, 100));
      assert.deepEqual(rush.next(), bytes(200));
      assert.equal(rush.next(), undefined);
      write(bytes(7));
      end();
      assert.deepEqual(rush.next(), bytes(7));
      assert.equal(rush.next()?.length, 0);
      rush.close();
    }));

  it("takes all that a pipe holds, in reads of a quarter of a MiB where it could make it larger", () =>
    withFifo(({ path, write, end }) => {
      const rush = opened(path);
      const written = write(new Uint8Array(2048 * KB));
      end();
      const mores: boolean[] = [];
      const sizes = Array.from({ length: 5 }, () => {
        const size = rush.next()?.length;
        mores.push(rush.hasMore);
        return size;
      });
      assert.deepEqual(mores, [canGrow, canGrow, canGrow, canGrow, false]);
      const quarter = 256 * KB;
      assert.deepEqual(
        sizes,
        canGrow ? [quarter, quarter, quarter, quarter, 0] : [64 * KB, 0, 0, 0, 0],
      );
      assert.equal(written, canGrow ? 1024 * KB : 64 * KB);
      rush.close();
    }));

  it("makes only some pipes larger at a time, and others once those are closed", () => {
    const open = (count: number, run: (rushes: readonly PipeRush[]) => void): void => {
      const rushes: PipeRush[] = [];
      const nest = (left: number): void => {
        if (left === 0) return run(rushes);
        withFifo(({ path }) => {
          const rush = opened(path);
          rushes.push(rush);
          nest(left - 1);
          rush.close();
        });
      };
      nest(count);
    };
    // It takes longer to fill a larger pipe.
    const large = (rushes: readonly PipeRush[]) => rushes.filter(({ rest }) => rest.fillMs > 0.5);
    for (let round = 0; round < 2; round++) {
      open(10, (rushes) => assert.equal(large(rushes).length, canGrow ? 8 : 0));
    }
  });

  it("keeps no descriptor after its end", () =>
    withFifo(({ path }) => {
      const before = openFiles(path);
      opened(path).close();
      assert.equal(openFiles(path), before);
    }));
});
