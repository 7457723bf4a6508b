import type { ExecutorCapabilities } from "../../execution/executor.ts";

/** What programs print when the system refuses them a write, or has no network for them. */
const SIGNS = {
  write: /Read-only file system|\bEROFS\b/,
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
  const { writable, network } = sandbox;
  if (SIGNS.write.test(output)) {
    const places = writable.map((directory) => JSON.stringify(directory)).join(", ");
    return `The sandbox may have refused a write: commands can write only below ${places}`;
  }
  return network === "none" && SIGNS.network.test(output)
    ? "The sandbox may have refused the network: commands reach none"
    : undefined;
}
