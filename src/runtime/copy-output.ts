import type { ByteLog } from "../output/byte-log.ts";

/**
 * Copy every byte of a command as it comes.
 *
 * The command waits for a slow reader: nothing is lost to a slow terminal or pipe.
 *
 * @param answered Settles with the command's answer: what came by then is copied, and not more, as
 *   processes that it left behind may hold the output for hours.
 */
export async function copyOutput(
  log: ByteLog,
  answered: Promise<unknown>,
  { out }: { readonly out: (bytes: Uint8Array) => Promise<void> },
): Promise<void> {
  const hold = log.hold(0);
  let over = false;
  let wake = () => {};
  void answered.then(() => {
    over = true;
    wake();
  });
  try {
    for (let at = 0; at < log.total || !(over || log.ended);) {
      if (at === log.total) {
        await new Promise<void>((resolve) => {
          const forget = log.onChange(resolve);
          wake = () => {
            forget();
            resolve();
          };
        });
        continue;
      }
      const { to, bytes } = await log.read({ from: at });
      await out(bytes);
      at = to;
      hold.moveTo(at);
    }
  } finally {
    hold.release();
  }
}
