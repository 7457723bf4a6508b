import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { bootId } from "./boot.ts";

/** Where a process id means something; what the system does not tell is absent. */
export interface Place {
  /** The run of the machine since it was started. */
  readonly bootId?: string;
  /** The machine, over all of its runs. */
  readonly machine?: string;
  /** Numbers its processes by itself, as a container does. */
  readonly pidNamespace?: string;
}

/** Where this process is. */
export function ownPlace(): Place {
  const boot = bootId();
  const pidNamespace = told(() => readlinkSync("/proc/self/ns/pid"));
  return {
    ...(boot !== undefined && { bootId: boot }),
    // By both: copies of a machine have its id, and others may have its name.
    machine: `${told(() => readFileSync("/etc/machine-id", "latin1").trim()) ?? ""}/${
      told(hostname) ?? ""
    }`,
    ...(pidNamespace !== undefined && { pidNamespace }),
  };
}

function told(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
