import { BlockList, isIPv6 } from "node:net";

/** Addresses of this machine, of networks that are no part of the internet, or of many machines (RFC 6890). */
const SPECIAL = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const;

/** Tells addresses of the internet from all others. */
export function publicAddresses(): (address: string) => boolean {
  const special = new BlockList();
  const global = new BlockList();
  global.addSubnet("2000::", 3, "ipv6");
  // Networks that translate show the internet of version 4 there (RFC 6052).
  global.addSubnet("64:ff9b::", 96, "ipv6");
  for (const [address, bits] of SPECIAL) {
    special.addSubnet(address, bits, "ipv4");
    special.addSubnet(`64:ff9b::${address}`, 96 + bits, "ipv6");
  }
  // Tunnels hold addresses of version 4.
  special.addSubnet("2001::", 32, "ipv6");
  special.addSubnet("2002::", 16, "ipv6");
  return (address) =>
    isIPv6(address)
      ? global.check(address, "ipv6") && !special.check(address, "ipv6")
      : !special.check(address, "ipv4");
}
