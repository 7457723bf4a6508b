import { lookup } from "node:dns";
import { connect, isIP, isIPv4, type Socket } from "node:net";
import { isListed, type ListedHost, type Place, placeText, reachOnly } from "./listed-hosts.ts";
import { publicAddresses } from "./public-addresses.ts";

/** A connection that may not be made. */
export class RefusedError extends Error {
  /** Where it was to lead to. */
  readonly to: string;

  constructor(to: string, reason: string) {
    super(reason);
    this.to = to;
  }
}

/** Connects to a place, where that may be. */
export type Dial = (place: Place) => Promise<Socket>;

/**
 * Connect to the hosts of a list, and to nothing else.
 *
 * What a name stands for is looked up once, and what was looked at is what is connected to. An address
 * that is not public has to be listed itself: else the owner of a name could lead into this network.
 *
 * @param names The list as its author wrote it.
 * @param addressesOf Looks a name up; by default as the system does.
 * @param made Called with each connection before it is connected.
 */
export function dialListed(
  hosts: readonly ListedHost[],
  { names, made, addressesOf = lookedUp }: {
    readonly names: readonly string[];
    readonly made: (socket: Socket) => void;
    readonly addressesOf?: (host: string) => Promise<readonly string[]>;
  },
): Dial {
  const isPublic = publicAddresses();
  const may = (host: string, port: number) =>
    isPublic(host) || isListed({ host, port }, hosts) ||
    (LOOPBACK.includes(host) && isListed({ host: "localhost", port }, hosts));
  return async (place) => {
    const { host, port } = place;
    if (!isListed(place, hosts)) throw new RefusedError(placeText(place), reachOnly(names));
    const all = isIP(host) === 0 ? await addressesOf(host) : [host];
    const addresses = all.filter((address) => may(address, port));
    if (addresses.length === 0) {
      const why = `"${host}" is at ${all.join(", ")}, which is neither public nor listed`;
      throw new RefusedError(placeText(place), why);
    }
    let failure: unknown;
    for (const address of addresses) {
      const socket = connect({ host: address, port, allowHalfOpen: true });
      made(socket);
      try {
        await connected(socket);
        return socket;
      } catch (cause) {
        failure = cause;
      }
    }
    throw failure;
  };
}

const LOOPBACK = ["127.0.0.1", "::1"];

/** Those of version 4 first: more networks lead to them. */
function lookedUp(host: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (cause, found) => {
      if (cause !== null) return reject(cause);
      const all = found.map(({ address }) => address);
      const older = all.filter(isIPv4);
      resolve([...older, ...all.filter((address) => !older.includes(address))]);
    });
  });
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("connect", () => resolve());
    socket.once("error", reject);
    // It was destroyed, as nothing waits for it any more.
    socket.once("close", () => reject(new Error("the connection was closed")));
  });
}
