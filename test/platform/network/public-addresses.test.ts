import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { publicAddresses } from "../../../src/platform/network/public-addresses.ts";

describe("public addresses", () => {
  const isPublic = publicAddresses();

  it("are those of the internet", () => {
    const all = ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::1.1.1.1"];
    for (const address of all) assert.ok(isPublic(address), address);
  });

  it("are none of this machine, of its networks, or of tunnels", () => {
    const all = [
      ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.9.9.9", "169.254.169.254"],
      ...["172.16.0.1", "172.31.255.255", "192.168.1.1", "224.0.0.1", "255.255.255.255"],
      ...["::", "::1", "fe80::1", "fd00:ec2::254", "ff02::1", "::ffff:10.0.0.1", "::ffff:1.1.1.1"],
      ...["64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "2002:a00:1::", "2001::1", "64:ff9b:1::1"],
    ];
    for (const address of all) assert.ok(!isPublic(address), address);
  });
});
