import { realpathSync } from "node:fs";
import { join } from "node:path";
import { farSockets } from "../control/control-path.ts";
import { findProgram } from "../environment/find-program.ts";
import { claimPrivateDirectory } from "../file/private-directory.ts";
import { removeAtExit } from "../file/temporary.ts";
import { randomIds } from "../ids.ts";
import { bridge } from "./bridge.ts";
import { listedHost } from "./listed-hosts.ts";
import { openProxy, type RefusedConnection } from "./proxy.ts";

/** What leads from a network without anything into a proxy of this process. */
export interface Bridge {
  /** What bubblewrap is to mount and to set. */
  readonly args: readonly string[];
  /** The words that stand before a command, and become it once connections are taken. */
  readonly prefix: readonly string[];
  /** End what the command is connected to. */
  close(): void;
}

/** Where the proxy is, in the network of each command. */
const PORT = 3128;
const PROXY_VARIABLES = ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy"];
/** What a command starts itself is reached without the proxy. */
const OWN = ["localhost", "127.0.0.1", "::1"];

/**
 * Make bridges to the hosts of a list, one for each command.
 *
 * @param path Where bash and socat are looked for.
 * @throws {Error} When one of them is missing; the text says which.
 */
export function bridgesTo(
  hosts: readonly string[],
  path: string,
): (refused: (connection: RefusedConnection) => void) => Bridge {
  const program = (name: string) => {
    const file = findProgram(name, path);
    if (file !== undefined) return file;
    throw new Error(`${name}, which leads to the listed hosts, is not on the PATH`);
  };
  const [bash, socat] = [program("bash"), program("socat")];
  const listed = hosts.map((host) => listedHost(host)?.host);
  const direct = OWN.filter((host) => !listed.includes(host)).join(",");
  const proxy = `http://127.0.0.1:${PORT}`;
  const set = (name: string, value: string) => ["--setenv", name, value];
  const both = (name: string, value: string) => [
    ...set(name, value),
    ...set(name.toUpperCase(), value),
  ];
  const environment = [
    ...PROXY_VARIABLES.flatMap((name) => both(name, proxy)),
    ...both("no_proxy", direct),
    ...set("NODE_USE_ENV_PROXY", "1"),
  ];
  return (refused) => {
    // Sandboxes hide it, so that no other command comes through this proxy.
    claimPrivateDirectory(farSockets());
    const socket = join(realpathSync(farSockets()), `${randomIds.next("proxy")}.sock`);
    const close = openProxy(socket, hosts, refused);
    const keep = removeAtExit(socket);
    return {
      args: ["--ro-bind", socket, socket, ...environment],
      prefix: [bash, "-p", "-c", bridge, "shellflow-bridge", socat, socket, String(PORT)],
      close: () => {
        keep();
        close();
      },
    };
  };
}
