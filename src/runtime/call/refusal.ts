import type { ExecutorCapabilities } from "../../execution/executor.ts";

/** What programs print when the system refuses them a write, or has no network for them. */
const SIGNS = {
  write: /Read-only file system|Device or resource busy|\bE(?:ROFS|BUSY)\b/,
  network:
    /Network is unreachable|\b(?:ENETUNREACH|EAI_AGAIN)\b|Could ?n[o']t resolve|Temporary failure in name resolution|Name or service not known|Name does not resolve/i,
};

/**
 * What a sandbox may have refused a command that failed, judged by what it printed: there is no other
 * sign of it.
 */
export function refusal(
  output: string,
  sandbox: ExecutorCapabilities["sandbox"],
): string | undefined {
  if (sandbox === undefined) return undefined;
  const { writable, readOnly, network } = sandbox;
  const list = (paths: readonly string[]) => paths.map((path) => JSON.stringify(path)).join(", ");
  if (SIGNS.write.test(output)) {
    const kept = readOnly.length === 0 ? "" : `, but for ${list(readOnly)}`;
    return `The sandbox may have refused a write: commands can write below ${
      list(writable)
    }${kept}`;
  }
  return network === "none" && SIGNS.network.test(output)
    ? "The sandbox may have refused the network: commands reach none"
    : undefined;
}
