import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { inspect } from "node:util";
import { HostTokens } from "@rs-emit/reader";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { textOf } from "../../reader/test/support/answers.ts";
import {
  capabilityList,
  changeList,
  resourceList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { SiteServer } from "../../reader/test/support/site-server.ts";
import { openTestTransport } from "../../reader/test/support/transport.ts";
import { CommandProcess, filesIn, rsHarvest, Workshop } from "./support/command.ts";
import { NO_OPENSSL, SecureServer } from "./support/secure-server.ts";

const SECRET = "s3cret-Token/of+moss==";
const VARIABLE = "MOSS_TOKEN";

describe("a token", () => {
  const place = { host: "example.org", variable: VARIABLE };
  const url = (text: string) => new URL(text);

  test.each<[string, string, readonly string[], boolean]>([
    ["its host", "https://example.org/a?b", [], true],
    ["its host by the usual port", "https://example.org:443/", [], true],
    ["its host after its own redirects", "https://example.org/b", ["https://example.org/a"], true],
    ["its host, from http", "https://example.org/b", ["http://example.org/a"], false],
    ["its host, from http at its port", "https://example.org/", ["http://example.org:443/"], false],
    ["its host by http", "http://example.org/", [], false],
    ["its host by http at the port of https", "http://example.org:443/", [], false],
    ["its host by another port", "https://example.org:8443/", [], false],
    ["a name below", "https://www.example.org/", [], false],
    ["a name above", "https://org/", [], false],
    ["a name that ends like it", "https://notexample.org/", [], false],
    ["a name that begins like it", "https://example.org.evil.example/", [], false],
    ["its host after another", "https://example.org/", ["https://evil.example/"], false],
    [
      "its host after another and itself",
      "https://example.org/c",
      ["https://example.org/a", "https://evil.example/"],
      false,
    ],
    ["its host after another port", "https://example.org/", ["https://example.org:8443/"], false],
  ])("to %s", (_, asked, passed, isSent) => {
    const tokens = new HostTokens([place], { [VARIABLE]: SECRET });
    const header = isSent ? `Bearer ${SECRET}` : undefined;
    expect(tokens.authorization(url(asked), passed)).toBe(header);
  });

  test.each([undefined, "", " ", `${SECRET}\n`, "two words", "größe"])(
    "is none where the variable holds %j: it is named, not shown",
    (value) => {
      const make = () => new HostTokens([place], { [VARIABLE]: value });
      expect(make).toThrow(/^The token for example\.org is not there: .* MOSS_TOKEN /);
      if (value?.trim()) expect(make).not.toThrow(value.trim());
    },
  );

  test("is shown by nothing that shows the rest", () => {
    const tokens = new HostTokens([place], { [VARIABLE]: SECRET });
    const shown = `${inspect(tokens, { depth: 9, showHidden: true })}${JSON.stringify({ tokens })}${tokens}`;
    expect(shown).not.toContain(SECRET);
  });
});

describe("--token-for", () => {
  const run = (...args: string[]) => rsHarvest("https://example.org/", "--out", "feeds", ...args);

  test.each([
    [["example.org"], /--token-for needs a host and the name of an environment variable/],
    [[`example.org=${SECRET}`], /--token-for needs a host and the name/],
    [[`https://example.org/=${VARIABLE}`], /--token-for needs a host and the name/],
    [[`me:${SECRET}@example.org=A`], /--token-for needs a host and the name/],
    [["example.org="], /--token-for needs a host and the name/],
    [["example.org=RS_NO_SUCH"], /example\.org is not there: .* RS_NO_SUCH is not set/],
    [["a.example=PATH", "--token-for", "A.example:443=HOME"], /a\.example is given twice/],
  ])("%j is wrong usage, and shows no token", async (args, words) => {
    for (const command of [
      ["https://example.org/", "--out", "feeds"],
      ["serve"],
      ["sync", "https://example.org/", "copy"],
    ]) {
      const { exit, stdout, stderr } = await rsHarvest(...command, "--token-for", ...args);
      expect([exit, stdout, stderr]).toEqual([2, "", expect.stringMatching(words)]);
      expect(stderr).not.toContain(SECRET);
    }
  });

  test("wants a value", async () => {
    expect(await run("--token-for")).toMatchObject({ exit: 2 });
  });
});

describe.skipIf(NO_OPENSSL)("behind a token (needs openssl)", () => {
  let server: SecureServer;
  const workshop = new Workshop();
  const trusted = getCACertificates("default");
  beforeAll(async () => {
    server = await SecureServer.start();
    setDefaultCACertificates([...trusted, server.certificate]);
  });
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await server?.[Symbol.asyncDispose]();
    workshop[Symbol.dispose]();
  });
  beforeEach(() => {
    server.requests.length = 0;
  });

  const isKnown = (headers: { readonly authorization?: string | undefined }) =>
    headers.authorization === `Bearer ${SECRET}`;
  const sent = () =>
    server.requests.map(({ host, path, headers }) => [host, path, isKnown(headers)]);
  const tokensFor = (...names: string[]) =>
    new HostTokens(
      names.map((name) => ({ host: `${name}:${server.port}`, variable: VARIABLE })),
      { [VARIABLE]: SECRET },
    );

  test("redirects to other hosts, and back, do without it, though they have tokens", async () => {
    const [here, there] = ["a.example.test", "b.example.test"];
    await using transport = openTestTransport({ tokens: tokensFor(here, there) });
    server.answer = ({ path }) => {
      const next = { "/0": [here, "/1"], "/1": [there, "/2"], "/2": [here, "/3"] }[path];
      if (next === undefined) return { body: "x" };
      return { status: 302, headers: { location: server.urlOf(next[0] ?? "", next[1]) } };
    };
    await textOf(await transport.get(server.urlOf(here, "/0")));
    const port = server.port;
    expect(sent()).toEqual([
      [`${here}:${port}`, "/0", true],
      [`${here}:${port}`, "/1", true],
      [`${there}:${port}`, "/2", false],
      [`${here}:${port}`, "/3", false],
    ]);
  });

  test("http gets none, on this machine neither, and a refusal names the variable", async () => {
    await using plain = await SiteServer.start();
    const site = plain.site("127.0.0.1").answer("/", { status: 401 });
    const host = new URL(site.url).host;
    const tokens = new HostTokens([{ host, variable: VARIABLE }], { [VARIABLE]: SECRET });
    await using transport = openTestTransport({ tokens, lookup: async () => ["127.0.0.1"] });
    await expect(transport.get(site.url)).rejects.toThrow(
      /the token in MOSS_TOKEN was not sent: it goes over https alone/,
    );
    expect(site.requests[0]?.headers).not.toHaveProperty("authorization");
    server.answer = () => ({ status: 403 });
    await using secure = openTestTransport({ tokens: tokensFor("example.test") });
    await expect(secure.get(server.urlOf("example.test"))).rejects.toThrow(
      /403 \(it does not accept the token in MOSS_TOKEN\)/,
    );
    expect(sent()).toMatchObject([[expect.any(String), "/", true]]);
  });

  const publish = () => {
    const documents: Readonly<Record<string, string>> = {
      "/.well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
      "/capabilitylist.xml": capabilityList({
        changelist: "/changelist.xml",
        resourcelist: "/resourcelist.xml",
      }),
      "/changelist.xml": changeList([`created a.html ${new Date(Date.now() - 1e7).toISOString()}`]),
      "/resourcelist.xml": resourceList(["a.html"], []),
      "/a.html": "moss",
    };
    server.answer = ({ path, headers }) => {
      const body = documents[path];
      if (!isKnown(headers)) return { status: 401 };
      return body === undefined ? { status: 404 } : { body };
    };
    return server.urlOf("127.0.0.1");
  };
  const place = () => `127.0.0.1:${server.port}=${VARIABLE}`;
  const start = (args: readonly string[], token = SECRET) =>
    new CommandProcess([...args, "--allow-private"], {
      [VARIABLE]: token,
      NODE_EXTRA_CA_CERTS: server.certificateFile,
    });
  /** The command in the README, for this site and folder. */
  const documented = (site: string, out: string) => {
    const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
    const [, line = ""] = /## Sources behind a token\n+```sh\nrs-harvest (.*)\n/.exec(readme) ?? [];
    const here: Readonly<Record<string, string>> = {
      "https://example.org/": site,
      feeds: out,
      "example.org=EXAMPLE_TOKEN": place(),
    };
    return line.split(" ").map((part) => here[part] ?? part);
  };
  const bytesIn = (folder: string) => [...filesIn(folder).values()].join("");

  test("a site is read in one shot, and what is kept and said has no token", async () => {
    const [site, out, data] = [publish(), workshop.folder(), workshop.folder()];
    const args = [...documented(site, out), "--data", data];
    const run = await start([...args, "--json"]).end();
    expect(run).toMatchObject({ exit: 0, stderr: "" });
    expect(JSON.parse(run.stdout).sites).toMatchObject([{ changes: 1 }]);
    expect(sent().every(([, , known]) => known)).toBe(true);
    const refused = await start(args, "another-token").end();
    expect(refused).toMatchObject({ exit: 1 });
    expect(refused.stderr).toContain("it does not accept the token in MOSS_TOKEN");
    const all = run.stdout + refused.stdout + refused.stderr + bytesIn(out) + bytesIn(data);
    expect(all).not.toMatch(/s3cret|another-token/);
    expect(all).toContain("/a.html");
  });

  test("a site is copied", async () => {
    const [site, copy] = [publish(), join(workshop.folder(), "copy")];
    const run = await start(["sync", site, copy, "--token-for", place()]).end();
    expect(run).toMatchObject({ exit: 0, stderr: "" });
    expect(readFileSync(join(copy, "a.html"), "utf8")).toBe("moss");
    expect(bytesIn(copy) + run.stdout).not.toContain("s3cret");
  });

  test("a site is followed by the service, whose pages name the variable at most", async () => {
    const [site, data] = [publish(), await workshop.memory()];
    const service = start(["serve", "--data", data, "--port", "0", "--token-for", place()]);
    const [, base = ""] = await service.says(/Open (\S+)/);
    const pageOf = async (path: string) => (await fetch(base + path)).text();
    const until = async (path: string, words: string) => {
      let page = "";
      for (let times = 0; !page.includes(words); times += 1) {
        if (times > 100) throw new Error(`no "${words}" in ${page}`);
        await pause(100);
        page = await pageOf(path);
      }
      return page;
    };
    const post = (path: string, form: Record<string, string>) =>
      fetch(base + path, {
        method: "POST",
        headers: { origin: new URL(base).origin },
        body: new URLSearchParams(form),
        redirect: "manual",
      });
    await post("follow", { address: site });
    const shown = [await until("sources/1", "/a.html"), await pageOf("feeds/all.atom")];
    server.answer = () => ({ status: 401 });
    await post("sources/1/check", {});
    shown.push(
      await until("sources", VARIABLE),
      await pageOf("sources/1"),
      await pageOf("metrics"),
    );
    service.signal("SIGTERM");
    const { exit, stdout, stderr } = await service.end();
    expect(exit).toBe(0);
    expect(`${shown.join("")}${stdout}${stderr}${bytesIn(data)}`).not.toContain("s3cret");
  });
});
