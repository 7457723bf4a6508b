/** Keep the event loop busy, from where timers come before what waits in pipes. */
export function stall(ms: number): Promise<void> {
  return new Promise((done) =>
    setImmediate(() => {
      const end = performance.now() + ms;
      while (performance.now() < end);
      done();
    })
  );
}
