import fc from "fast-check";
import { expect, test } from "vitest";
import { isPublicAddress } from "../src/http/network-policy.ts";
import { openTestTransport } from "./support/transport.ts";

test.each([
  ["93.184.216.34", "of the internet"],
  ["8.8.8.8", "of the internet"],
  ["2606:4700::6810:85e5", "of the internet"],
  ["2a00:1450:4001:81b::200e", "of the internet"],
  ["64:ff9b::808:808", "of the internet, for a network that has only IPv6"],
])("%s is public: %s", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ["0.0.0.0", "unspecified"],
  ["0.1.2.3", "this network"],
  ["10.0.0.1", "private"],
  ["100.64.0.1", "shared by customers of a provider"],
  ["100.100.100.200", "metadata of a cloud"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["168.63.129.16", "metadata of a cloud"],
  ["169.254.169.254", "metadata of most clouds"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.0.0.192", "metadata of a cloud"],
  ["192.0.2.1", "documentation"],
  ["192.88.99.1", "relays of 6to4"],
  ["192.168.1.1", "private"],
  ["198.18.0.1", "benchmarks"],
  ["198.51.100.1", "documentation"],
  ["203.0.113.1", "documentation"],
  ["224.0.0.1", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::127.0.0.1", "IPv4-compatible"],
  ["::8.8.8.8", "IPv4-compatible"],
  ["::ffff:127.0.0.1", "IPv4-mapped"],
  ["::ffff:10.0.0.1", "IPv4-mapped"],
  ["::ffff:a9fe:a9fe", "IPv4-mapped"],
  ["::ffff:0:127.0.0.1", "IPv4-translated"],
  ["64:ff9b::127.0.0.1", "translated"],
  ["64:ff9b::a9fe:a9fe", "translated"],
  ["64:ff9b:1::8.8.8.8", "translated, local"],
  ["100::1", "discarded"],
  ["2001::1", "Teredo"],
  ["2001:2::1", "benchmarks"],
  ["2001:db8::1", "documentation"],
  ["2002:7f00:1::", "6to4"],
  ["3fff::1", "documentation"],
  ["4000::1", "not given out"],
  ["5f00::1", "segment routing"],
  ["fc00::1", "unique local"],
  ["fd00:ec2::254", "metadata of a cloud"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local, with a zone"],
  ["fec0::1", "site-local"],
  ["ff02::1", "multicast"],
  ["", "nothing"],
  ["example.test", "a name"],
])("%s is not: %s", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test("no way of writing an IPv4 address in IPv6 leads to one that is private", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const priv = fc.tuple(fc.constantFrom("127", "10", "169.254", "192.168"), byte, byte, byte);
  const prefix = fc.constantFrom("::", "::ffff:", "::ffff:0:", "64:ff9b::", "64:ff9b:1::");
  fc.assert(
    fc.property(prefix, priv, (before, [net, ...rest]) => {
      const address = before + [...net.split("."), ...rest].slice(0, 4).join(".");
      expect(isPublicAddress(address)).toBe(false);
    }),
  );
});

test.each([
  "http://127.0.0.1/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0177.0.0.1/",
  "http://0x7f.0.0.1/",
  "http://127.0.0.1./",
  "http://１２７.０.０.１/",
  "http://0/",
  "http://[::1]/",
  "http://[::]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[fe80::1]/",
  "https://169.254.169.254/latest/meta-data/",
  "http://[fd00:ec2::254]/",
])("%s is refused before anything is connected", async (url) => {
  await using transport = openTestTransport({
    allowPrivate: false,
    lookup: () => expect.unreachable("it is no name"),
  });
  await expect(transport.get(url)).rejects.toMatchObject({
    code: "FORBIDDEN",
    message: `${url} is not asked: it leads to a private address.`.replace(url, new URL(url).href),
  });
});

test.each([
  ["ftp://example.test/", "is neither http nor https"],
  ["file:///etc/passwd", "is neither http nor https"],
  ["data:text/plain,hello", "is neither http nor https"],
  ["javascript:alert(1)", "is neither http nor https"],
  ["http://user@example.test/", "carries a name or a password"],
  ["http://:secret@example.test/", "carries a name or a password"],
  ["http://example.test:22/", "names the port 22"],
  ["http://example.test:25/", "names the port 25"],
  ["https://example.test:6379/", "names the port 6379"],
  ["//example.test/", "is no URL"],
  ["http://", "is no URL"],
  [`http://example.test/${"a".repeat(2048)}`, "is longer than 2048 characters"],
])("%s is refused: it %s", async (url, reason) => {
  await using transport = openTestTransport({ allowPrivate: false });
  const error = await transport.get(url).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining(reason) });
  expect(String(error)).not.toContain("secret");
});
