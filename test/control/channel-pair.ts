import type { LineChannel } from "../../src/platform/control/line-channel.ts";

/** Two channels, each with the other's lines. */
export function channelPair(): readonly [LineChannel, LineChannel] {
  const [there, back] = [
    new TransformStream<string, string>(),
    new TransformStream<string, string>(),
  ];
  return [channelOf(there.writable, back.readable), channelOf(back.writable, there.readable)];
}

function channelOf(out: WritableStream<string>, lines: ReadableStream<string>): LineChannel {
  const writer = out.getWriter();
  writer.closed.catch(() => {});
  return {
    lines,
    send: (line) => writer.write(line),
    close: () => void writer.close().catch(() => {}),
  };
}
