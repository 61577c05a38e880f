import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { isUnanswered } from "../src/http/errors.ts";
import type { FetchLimits } from "../src/http/fetch-limits.ts";
import {
  INTERNET,
  isPublicAddress,
  type Lookup,
  type NetworkPolicy,
  systemLookup,
} from "../src/http/network-policy.ts";
import { openTransport } from "../src/http/transport.ts";
import { fresh, textOf } from "./support/answers.ts";
import type { ScriptedAnswer } from "./support/scripted.ts";
import { SiteServer } from "./support/site-server.ts";
import { openTestTransport } from "./support/transport.ts";

/** An internet in which 127.0.0.1 is as public as any server, and nothing else of this machine is. */
function internetOf(server: SiteServer): NetworkPolicy {
  return {
    allowsAddress: (address) => address === "127.0.0.1" || isPublicAddress(address),
    allowsPort: (port) => port === server.port || INTERNET.allowsPort(port),
  };
}

const forbidden = { code: "FORBIDDEN" };
const toPrivate = { ...forbidden, message: expect.stringContaining("leads to a private address") };

describe("names", () => {
  test.each<[string, readonly string[]]>([
    ["a private address", ["10.0.0.1"]],
    ["loopback", ["127.0.0.2"]],
    ["loopback of IPv6", ["::1"]],
    ["metadata", ["169.254.169.254"]],
    ["a mapped address", ["::ffff:10.0.0.1"]],
    ["a public address and a private one", ["127.0.0.1", "192.168.0.1"]],
    ["a private address and a public one", ["fd00::1", "127.0.0.1"]],
    ["no address that is one", ["127.0.0.1", "nonsense"]],
  ])("that lead to %s are refused, and nothing is connected", async (_, addresses) => {
    await using server = await SiteServer.start();
    const site = server.site("example.test").answer("/", "secret");
    const transport = openTransport({ lookup: async () => addresses }, internetOf(server));
    const error = await transport.get(site.url).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(toPrivate);
    for (const address of addresses) expect(String(error)).not.toContain(address);
    expect(server.connections).toBe(0);
    await transport.close();
  });

  test("that change their meaning are checked at each connection (DNS rebinding)", async () => {
    await using server = await SiteServer.start();
    const site = server
      .site("example.test")
      .answer("/", { body: "x", headers: { connection: "close" } });
    const answers = ["127.0.0.1", "127.0.0.2"];
    const lookup: Lookup = async () => [answers.shift() ?? "127.0.0.2"];
    const transport = openTransport({ lookup }, internetOf(server));
    expect(await textOf(await transport.get(site.url))).toBe("x");
    await expect(transport.get(site.url)).rejects.toMatchObject(toPrivate);
    expect(answers).toEqual([]);
    expect(server.connections).toBe(1);
    await transport.close();
  });

  test.each([
    ["ENOTFOUND", "could not be found: there is no such host"],
    ["EAI_AGAIN", "could not be found: the name service does not answer"],
  ])("that are not found (%s)", async (code, problem) => {
    const lookup: Lookup = () => Promise.reject(Object.assign(new Error(code), { code }));
    await using transport = openTestTransport({ lookup });
    await expect(transport.get("http://example.test/")).rejects.toMatchObject({
      code: "UNREACHABLE",
      message: `http://example.test/ ${problem}.`,
    });
  });

  test("that have no address are not found", async () => {
    await using transport = openTestTransport({ lookup: async () => [] });
    await expect(transport.get("http://example.test/")).rejects.toMatchObject({
      message: "http://example.test/ could not be found: there is no such host.",
    });
  });

  test("of this machine are refused when the system resolves them", async () => {
    expect(await systemLookup("localhost")).not.toEqual([]);
    await using transport = openTestTransport({ lookup: systemLookup, allowPrivate: false });
    await expect(transport.get("http://localhost/")).rejects.toMatchObject(toPrivate);
  });
});

describe("redirects", () => {
  test.each([
    "http://127.0.0.2/",
    "http://2130706434/",
    "http://10.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:169.254.169.254]/latest/meta-data/",
    "//192.168.0.1/",
    "http://inside.test/",
    "file:///etc/passwd",
    "gopher://example.test/",
    "http://example.test:22/",
    "http://user:secret@example.test/",
  ])("to %s are refused", async (location) => {
    await using server = await SiteServer.start();
    const site = server.site("example.test").answer("/", { status: 302, headers: { location } });
    const lookup: Lookup = async (name) => [name === "inside.test" ? "10.0.0.1" : "127.0.0.1"];
    const transport = openTransport({ lookup }, internetOf(server));
    await expect(transport.get(site.url)).rejects.toMatchObject(forbidden);
    expect(server.requests).toHaveLength(1);
    await transport.close();
  });
});

/** What comes of asking a site that answers so; little is enough to be too much. */
async function ask(answer: ScriptedAnswer, limits: Partial<FetchLimits> = {}) {
  await using server = await SiteServer.start();
  await using transport = openTestTransport({ limits: { bytes: 100_000, ...limits } });
  const site = server.site("example.test").answer("/doc", answer);
  return await transport
    .get(site.urlOf("doc"))
    .then(textOf)
    .catch((error: unknown) => error);
}

const TEXT = "<urlset/>".repeat(1000);
const packed = (coding: string, body: Uint8Array): ScriptedAnswer => ({
  headers: { "content-encoding": coding },
  body,
});

describe("compression", () => {
  test.each<[string, ScriptedAnswer]>([
    ["gzip", packed("gzip", gzipSync(TEXT))],
    ["gzip, by its old name", packed("x-gzip", gzipSync(TEXT))],
    ["gzip, in capitals", packed("GZIP", gzipSync(TEXT))],
    ["brotli", packed("br", brotliCompressSync(TEXT))],
    ["none", packed("identity", Buffer.from(TEXT))],
    ["none, by a word that is none", packed("none", Buffer.from(TEXT))],
    ["none, by a word of JavaScript", packed("constructor", Buffer.from(TEXT))],
    ["the name of a charset", packed("UTF-8", Buffer.from(TEXT))],
    ["nothing", packed("", Buffer.from(TEXT))],
    ["none, then gzip", packed("identity, gzip", gzipSync(TEXT))],
    ["gzip, then a charset", packed("gzip,, utf-8", gzipSync(TEXT))],
    ["gzip twice", packed("gzip, gzip", gzipSync(gzipSync(TEXT)))],
    ["gzip, then brotli", packed("gzip, br", brotliCompressSync(gzipSync(TEXT)))],
    [
      "gzip in two headers",
      { headers: { "content-encoding": ["gzip", "gzip"] }, body: gzipSync(gzipSync(TEXT)) },
    ],
    ["a document that is a gzip file", { body: gzipSync(TEXT) }],
    ["a gzip file, compressed once more", packed("gzip", gzipSync(gzipSync(TEXT)))],
    ["a gzip file in small pieces", { body: pieces(gzipSync(TEXT)) }],
  ])("%s", proves("T19a"), async (_, answer) => {
    expect(await ask(answer)).toBe(TEXT);
  });

  const half = (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2);
  test.each<[string, ScriptedAnswer, string]>([
    ["gzip that is none", packed("gzip", Buffer.from(TEXT)), "the compression is broken"],
    ["brotli that is none", packed("br", Buffer.from(TEXT)), "the compression is broken"],
    ["half of a gzip", packed("gzip", half(gzipSync(TEXT))), "broke off before its end"],
    ["half of a brotli", packed("br", half(brotliCompressSync(TEXT))), "broke off before its end"],
    ["half of a gzip file", { body: half(gzipSync(TEXT)) }, "broke off before its end"],
    ["what nobody asked for", packed("deflate", Buffer.from("x")), "not asked for (deflate)"],
    ["what nobody asked for", packed("zstd", Buffer.from("x")), "not asked for (zstd)"],
    ["one in another", packed("gzip, zstd", Buffer.from("x")), "not asked for (zstd)"],
    ["one in another, broken", packed("gzip, br", gzipSync(TEXT)), "the compression is broken"],
    ["one in another, half", packed("gzip, gzip", gzipSync(half(gzipSync(TEXT)))), "broke off"],
    ["one too many", packed("gzip,".repeat(4), Buffer.from("x")), "more than 3 times"],
  ])("%s is an error", async (_, answer, problem) => {
    expect(await ask(answer)).toMatchObject({
      code: "UNREACHABLE",
      message: expect.stringContaining(problem),
    });
  });
});

async function* pieces(bytes: Uint8Array) {
  yield bytes.subarray(0, 1);
  await pause(20);
  yield bytes.subarray(1, 2);
  await pause(20);
  yield bytes.subarray(2);
}

async function* endless(chunk: Uint8Array) {
  for (;;) yield chunk;
}

async function* trickle(drop: string | Uint8Array = "x") {
  for (;;) {
    yield drop;
    await pause(20);
  }
}

describe("size", () => {
  const GZIP = { "content-encoding": "gzip" };
  const ZEROS = Buffer.alloc(10_000_000);
  /** Many bytes of gzip that say nothing. */
  const NOTHING = Buffer.concat(Array(6000).fill(gzipSync("")));
  test.each<[string, ScriptedAnswer]>([
    ["a body", { body: Buffer.alloc(100_001) }],
    ["an endless body", { body: endless(Buffer.alloc(10_000)) }],
    ["a gzip bomb", packed("gzip", gzipSync(ZEROS))],
    ["a brotli bomb", packed("br", brotliCompressSync(ZEROS))],
    ["a bomb that is a file", { body: gzipSync(ZEROS) }],
    ["a bomb in a bomb", packed("gzip", gzipSync(gzipSync(ZEROS)))],
    ["a bomb in a bomb, both said", packed("gzip, gzip", gzipSync(gzipSync(ZEROS)))],
    ["an endless body of nothing", { headers: GZIP, body: endless(NOTHING) }],
    ["a file of nothing, compressed", packed("gzip", gzipSync(NOTHING))],
    [
      "a length, with little behind it,",
      { headers: { "content-length": "100001" }, body: trickle() },
    ],
  ])("%s past the bound is an error", async (_, answer) => {
    expect(await ask(answer)).toMatchObject({
      code: "OVERSIZED",
      message: expect.stringContaining("is larger than 0.1 MB"),
    });
  });

  test.each<[string, ScriptedAnswer]>([
    ["announced", { headers: { "content-length": "100001" }, body: trickle() }],
    ["found", { body: endless(Buffer.alloc(10_000)) }],
  ])(
    "past the bound, once %s, does not keep the host's turn",
    async (_, answer) => {
      await using server = await SiteServer.start();
      await using transport = openTestTransport({ limits: { bytes: 100_000 } });
      const site = server.site("example.test").answer("/large", answer).answer("/", "x");
      const large = await transport.get(site.urlOf("large"));
      await expect(textOf(large)).rejects.toMatchObject({ code: "OVERSIZED" });
      expect(await textOf(await transport.get(site.url))).toBe("x");
    },
    5000,
  );

  test("a body of just the bound is read", async () => {
    expect(await ask({ body: Buffer.alloc(100_000) })).toHaveLength(100_000);
  });

  test.each<[string, ScriptedAnswer]>([
    ["one long header", { headers: { "x-long": "x".repeat(20_000) } }],
    ["many headers", { headers: { "set-cookie": Array(2000).fill("a=0123456789") } }],
  ])("%s past the bound is an error", async (_, answer) => {
    expect(await ask(answer)).toMatchObject({ code: "OVERSIZED" });
  });

  test.each([
    ["without an end", endless(Buffer.alloc(10_000))],
    ["that trickles", trickle()],
  ])(
    "the body of an error is not read on: one %s",
    async (_, body) => {
      expect(await ask({ status: 404, body })).toMatchObject({ code: "MISSING" });
    },
    5000,
  );
});

describe("time", () => {
  test("no connection is known as none, before the answer is waited for", async () => {
    await using transport = openTestTransport({
      lookup: () => new Promise(() => {}),
      limits: { secondsToConnect: 0.1, secondsToHeaders: 5 },
    });
    const url = "http://slow.test/";
    const error = await transport.get(url).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "UNREACHABLE" });
    expect(isUnanswered(error, url)).toBe(true);
  });

  const limits = { secondsToHeaders: 0.1, seconds: 0.3 };
  test.each<[string, ScriptedAnswer, string]>([
    ["no answer", { delay: 60_000 }, "did not answer within 0.1 seconds"],
    ["a body that trickles", { body: trickle() }, "did not come to its end within 0.3 seconds"],
    [
      "a compressed body that trickles, and never says anything",
      { headers: { "content-encoding": "gzip" }, body: trickle(gzipSync("")) },
      "did not come to its end within 0.3 seconds",
    ],
    [
      "a body that ends with a pause",
      {
        body: (async function* () {
          yield "x";
          await pause(60_000, undefined, { ref: false });
        })(),
      },
      "did not come to its end within 0.3 seconds",
    ],
  ])("%s is an error", async (_, answer, problem) => {
    expect(await ask(answer, limits)).toMatchObject({
      code: "UNREACHABLE",
      message: expect.stringContaining(problem),
    });
  });

  test.each([
    [0.4, "did not come to its end within 0.4 seconds"],
    [0.95, "here"],
  ])("redirects that take 0.6 seconds, of %f in all: %s", async (seconds, outcome) => {
    await using server = await SiteServer.start();
    await using transport = openTestTransport({ limits: { seconds } });
    const site = server
      .site("example.test")
      .answer("/3", "here")
      .answer("*", ({ path }) => ({
        status: 302,
        headers: { location: `/${Number(path.slice(1)) + 1}` },
        delay: 200,
      }));
    const got = await transport.get(site.urlOf("0")).then(textOf, String);
    expect(got).toContain(outcome);
  });

  test("headers that trickle are an error", async () => {
    const socket = createServer((connection) => {
      connection.on("error", () => {});
      const timer = setInterval(() => connection.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 10);
      connection.on("close", () => clearInterval(timer));
    });
    await once(socket.listen(0, "127.0.0.1"), "listening");
    await using transport = openTestTransport({ limits });
    await expect(transport.get(urlOf(socket.address()))).rejects.toMatchObject({
      message: expect.stringContaining("did not answer within 0.1 seconds"),
    });
    socket.close();
  });

  test("a host that was too slow does not keep its turn", async () => {
    await using server = await SiteServer.start();
    await using transport = openTestTransport({ limits: { seconds: 1 } });
    const site = server.site("example.test").answer("/slow", { body: trickle() }).answer("/", "x");
    const slow = fresh(await transport.get(site.urlOf("slow")));
    expect(await textOf(await transport.get(site.url))).toBe("x");
    await expect(textOf(slow)).rejects.toMatchObject({ code: "UNREACHABLE" });
  });
});

describe("broken answers", () => {
  const OK = "HTTP/1.1 200 OK\r\n";
  const offEarly = "broke the connection off before its answer was complete";
  const noHttp = "does not speak HTTP correctly";
  test.each<[string, ScriptedAnswer, string]>([
    ["nothing", { raw: "" }, offEarly],
    ["half of the headers", { raw: `${OK}content-le` }, offEarly],
    ["less than its length", { raw: `${OK}content-length: 9\r\n\r\nshort` }, offEarly],
    ["a body that is cut", { body: TEXT, cut: 100 }, offEarly],
    ["half of a chunk", { raw: `${OK}transfer-encoding: chunked\r\n\r\n9\r\nshort` }, offEarly],
    [
      "chunks without their end",
      { raw: `${OK}transfer-encoding: chunked\r\n\r\n1\r\nx\r\n` },
      offEarly,
    ],
    ["no chunks", { raw: `${OK}transfer-encoding: chunked\r\n\r\nnonsense` }, noHttp],
    ["two lengths", { raw: `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nxy` }, noHttp],
    ["a length that is none", { raw: `${OK}content-length: -1\r\n\r\nx` }, noHttp],
    [
      "length and chunks",
      { raw: `${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n` },
      noHttp,
    ],
    ["something else than HTTP", { raw: "SSH-2.0-OpenSSH_9.2\r\n" }, noHttp],
    ["a header with a line break", { raw: `${OK}x: a\rb\r\n\r\n` }, noHttp],
  ])("%s", async (_, answer, problem) => {
    expect(await ask(answer)).toMatchObject({
      code: "UNREACHABLE",
      message: expect.stringContaining(problem),
    });
  });

  test("what follows an answer is not taken for the next one", async () => {
    await using server = await SiteServer.start();
    await using transport = openTestTransport();
    const raw = `${OK}content-length: 1\r\n\r\nx${OK}content-length: 4\r\n\r\nevil`;
    const site = server.site("example.test").answer("/1", { raw }).answer("/2", "good");
    const first = await transport.get(site.urlOf("1")).then(textOf, () => "refused");
    expect(["x", "refused"]).toContain(first);
    expect(await textOf(await transport.get(site.urlOf("2")))).toBe("good");
  });

  test("nothing on a kept connection, which the server was about to close: asked again", async () => {
    const requests: number[] = [];
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      const connection = connections;
      let answered = 0;
      socket.on("error", () => {});
      socket.on("data", () => {
        requests.push(connection);
        if (answered > 0) return socket.destroy();
        answered += 1;
        return socket.write(`${OK}content-length: 1\r\n\r\n${connection}`);
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const transport = openTestTransport();
    try {
      const ask = async () => textOf(await transport.get(urlOf(server.address())));
      expect([await ask(), await ask(), await ask()]).toEqual(["1", "2", "3"]);
      expect(requests).toEqual([1, 1, 2, 2, 3]);
    } finally {
      await transport.close();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test("no connection", async () => {
    const socket = createServer();
    await once(socket.listen(0, "127.0.0.1"), "listening");
    const url = urlOf(socket.address());
    await new Promise((resolve) => socket.close(resolve));
    await using transport = openTestTransport();
    await expect(transport.get(url)).rejects.toMatchObject({
      code: "UNREACHABLE",
      message: `${url} could not be reached: its host refuses connections.`,
    });
  });
});

function urlOf(address: ReturnType<ReturnType<typeof createServer>["address"]>): string {
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://host.test:${address.port}/`;
}
