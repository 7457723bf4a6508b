import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  isListed,
  listedHost,
  placeText,
  readPlace,
} from "../../../src/platform/network/listed-hosts.ts";

const isIn = (text: string, ...entries: readonly string[]): boolean => {
  const { host = "", port = 443 } = readPlace(text) ?? {};
  return isListed({ host, port }, entries.flatMap((entry) => listedHost(entry) ?? []));
};

describe("listed hosts", () => {
  it("are names, what is below a name, and addresses, with or without a port", () => {
    assert.deepEqual(listedHost("Example.COM."), { host: "example.com", below: false });
    assert.deepEqual(listedHost("*.example.com:8443"), {
      host: "example.com",
      port: 8443,
      below: true,
    });
    assert.deepEqual(listedHost("::1"), { host: "::1", below: false });
    assert.deepEqual(listedHost("[::1]:80"), { host: "::1", port: 80, below: false });
    assert.deepEqual(listedHost("münchen.example")?.host, "xn--mnchen-3ya.example");
  });

  it("are nothing else", () => {
    const wrong = [
      ...[
        "",
        ".",
        "*",
        "*.",
        "*.1.2.3.4",
        "*example.com",
        "a.*.com",
        "a..b",
        "https://example.com",
      ],
      ...[
        "example.com/x",
        "example.com:0",
        "example.com:65536",
        "example.com:x",
        "a:b@example.com",
      ],
      ...[
        "a.com,b.com",
        "a b",
        "[::1",
        "::1:99999",
        "a%2fb",
        "a\\b",
        "a\nb",
        `${"a".repeat(300)}.com`,
      ],
    ];
    for (const text of wrong) assert.equal(listedHost(text), undefined, text);
  });

  it("match a name by itself or by what is above it, at the ports of HTTP or at their own", () => {
    assert.ok(isIn("EXAMPLE.com.:443", "example.com"));
    assert.ok(isIn("example.com:80", "example.com"));
    assert.ok(!isIn("example.com:8443", "example.com"));
    assert.ok(isIn("example.com:8443", "example.com:8443"));
    assert.ok(!isIn("example.com:443", "example.com:8443"));
    assert.ok(isIn("a.b.example.com", "*.example.com"));
    for (const other of ["example.com", "xexample.com", "example.com.evil.com"]) {
      assert.ok(!isIn(other, "*.example.com"), other);
    }
    assert.ok(!isIn("sub.example.com", "example.com"));
  });

  it("match every spelling of an address", () => {
    for (const text of ["127.0.0.1", "0x7f.1", "2130706433", "%3127.0.0.1"]) {
      assert.ok(isIn(text, "127.0.0.1"), text);
    }
    assert.ok(isIn("[0:0::0:1]:443", "::1"));
    assert.ok(!isIn("[::ffff:127.0.0.1]:443", "127.0.0.1"));
    assert.equal(placeText({ host: "::1", port: 80 }), "[::1]:80");
  });
});
