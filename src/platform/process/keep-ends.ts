import process from "node:process";

/**
 * Have the system keep the ends of our children for us.
 *
 * Where the parent of this process ignores SIGCHLD, the system forgets them, and Deno dies of the
 * first that it asks for. A listener is enough, also one that is gone again: the signal is not
 * ignored any more. Node sees to that by itself. Idempotent.
 */
export function keepEnds(): void {
  if (!("Deno" in globalThis) || process.platform === "win32") return;
  const listener = () => {};
  process.on("SIGCHLD", listener);
  process.off("SIGCHLD", listener);
}
