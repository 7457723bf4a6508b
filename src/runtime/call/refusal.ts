import type { ExecutorCapabilities } from "../../execution/executor.ts";
import { reachOnly } from "../../platform/network/listed-hosts.ts";
import type { Sandbox } from "../../platform/process/containment.ts";
import type { Task } from "../../task/task-view.ts";
import { shownList } from "../../value/shown.ts";

/**
 * What programs print when the system refuses them a write, or has no network for them; curl says no
 * more of an address than that it failed.
 */
const SIGNS = {
  write: /Read-only file system|Device or resource busy|\bE(?:ROFS|BUSY)\b/,
  network:
    /Network is unreachable|\b(?:ENETUNREACH|EAI_AGAIN)\b|Could ?n[o']t resolve|Temporary failure in name resolution|Name or service not known|Name does not resolve|Failed to connect to (?!localhost|127\.|\[?::1)\S+ port/i,
};

/**
 * What a sandbox refused a command that failed, or was ended, as one that tries again until its time is
 * over: connections, which its proxy has seen, and what the command printed about it, which is the only
 * sign of all else.
 */
export function refusal(
  { outcome, refused = [] }: Pick<Task, "outcome" | "refused">,
  output: string,
  sandbox: ExecutorCapabilities["sandbox"],
): string | undefined {
  const hasRun = outcome !== undefined && outcome.type !== "spawnFailed";
  if (!hasRun || (outcome.type === "exited" && outcome.code === 0)) return undefined;
  const both = [ofConnections(refused), ofOutput(output, sandbox)]
    .filter((text) => text !== undefined);
  return both.length === 0 ? undefined : both.join("\n");
}

function ofConnections(refused: NonNullable<Task["refused"]>): string | undefined {
  if (refused.length === 0) return undefined;
  const places = shownList(refused.map(({ to }) => to));
  const reasons = new Set(refused.map(({ reason }) => reason));
  return `The sandbox refused a connection to ${places}: ${[...reasons].join("; ")}`;
}

function ofOutput(output: string, sandbox: Sandbox | undefined): string | undefined {
  if (sandbox === undefined) return undefined;
  const { writable, readOnly, network } = sandbox;
  if (SIGNS.write.test(output)) {
    const kept = readOnly.length === 0 ? "" : `, but for ${list(readOnly)}`;
    return `The sandbox may have refused a write: commands can write below ${
      list(writable)
    }${kept}`;
  }
  if (network === "full" || !SIGNS.network.test(output)) return undefined;
  return `The sandbox may have refused the network: ${networkText(network)}`;
}

/** What commands reach of the network, unless that is all. */
export function networkText(network: Exclude<Sandbox["network"], "full">): string {
  return network === "none"
    ? "commands reach none"
    : `${reachOnly(network.hosts)}, by HTTP and the proxy that their variables name`;
}

function list(paths: readonly string[]): string {
  return paths.map((path) => JSON.stringify(path)).join(", ");
}
