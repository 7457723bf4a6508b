import { isIP, isIPv6 } from "node:net";
import { shownList } from "../../value/shown.ts";
import { attempt } from "../failure.ts";

/** Where a connection leads to. */
export interface Place {
  /** A name in small letters, or an address. */
  readonly host: string;
  readonly port: number;
}

/** What an entry of a list of hosts means. */
export interface ListedHost {
  readonly host: string;
  /** Absent: 80 and 443. */
  readonly port?: number;
  /** What is below the name is meant, and not the name itself. */
  readonly below: boolean;
}

/** Read an entry, such as `example.com`, `*.example.com` or `localhost:8080`; `undefined` when it is none. */
export function listedHost(text: string): ListedHost | undefined {
  const below = text.startsWith("*.");
  const read = readPlace(below ? text.slice(2) : isIPv6(text) ? `[${text}]` : text);
  return read === undefined || (below && isIP(read.host) !== 0) ? undefined : { ...read, below };
}

/**
 * Read a host with or without a port, in the one spelling in which it is compared and connected to:
 * names in small letters and without a dot at the end, addresses as the system writes them.
 */
export function readPlace(
  text: string,
): { readonly host: string; readonly port?: number } | undefined {
  const [, name, digits] = /^(\[[^[\]]*\]|[^:/?#@\\\s]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const url = attempt(() => new URL(`http://${name}`));
  const host = url?.hostname.replace(/^\[|\]$|\.$/g, "") ?? "";
  if (host.length > 253) return undefined;
  if (isIP(host) === 0 && !/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(host)) return undefined;
  if (digits === undefined) return { host };
  const port = Number(digits);
  return port === 0 || port > 65_535 ? undefined : { host, port };
}

/** Whether a list has a place. */
export function isListed({ host, port }: Place, hosts: readonly ListedHost[]): boolean {
  return hosts.some((listed) =>
    (listed.port === undefined ? port === 80 || port === 443 : port === listed.port) &&
    (listed.below ? host.endsWith(`.${listed.host}`) : host === listed.host)
  );
}

/** A place in one word. */
export function placeText({ host, port }: Place): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** What commands reach, for people. */
export function reachOnly(hosts: readonly string[]): string {
  return `commands reach ${hosts.length === 0 ? "no host" : `only ${shownList(hosts)}`}`;
}
