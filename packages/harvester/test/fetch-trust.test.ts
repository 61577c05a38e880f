import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type Transport, UnreachableError } from "@rs-emit/reader";
import type { Answer } from "@rs-emit/reader/http/transport";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  resourceList,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { SiteServer } from "../../reader/test/support/site-server.ts";
import { openTestTransport } from "../../reader/test/support/transport.ts";
import { rsHarvest, Workshop } from "./support/command.ts";
import { FollowedSites } from "./support/followed-site.ts";
import { NO_OPENSSL, type SecureRequest, SecureServer } from "./support/secure-server.ts";
import { describeStores } from "./support/stores.ts";

/** A site's documents. `base` is what they name each other by. */
function documentsAt(base: string, page: string): Readonly<Record<string, string>> {
  return {
    "/.well-known/resourcesync": sourceDescription([`${base}capabilitylist.xml`]),
    "/capabilitylist.xml": capabilityList(
      { changelist: `${base}changelist.xml`, resourcelist: `${base}resourcelist.xml` },
      [["describes", base]],
    ),
    "/changelist.xml": changeList([`created ${base}${page} 2026-10-01T12:00:00Z`]),
    "/resourcelist.xml": resourceList([`${base}${page}`], []),
    [`/${page}`]: "moss",
  };
}

function answering(documents: Readonly<Record<string, string>>) {
  return ({ path }: SecureRequest) => {
    const body = documents[path];
    return body === undefined ? { status: 404 } : { body };
  };
}

describe.skipIf(NO_OPENSSL)("a typed https:// (needs openssl)", () => {
  let server: SecureServer;
  const workshop = new Workshop();
  const trusted = getCACertificates("default");
  beforeAll(async () => {
    server = await SecureServer.start();
  });
  beforeEach(() => {
    server.requests.length = 0;
    server.plainRequests.length = 0;
    // What somebody in between answers.
    server.plainAnswer = answering(documentsAt(`http://127.0.0.1:${server.port}/`, "forged.html"));
  });
  afterEach(() => setDefaultCACertificates(trusted));
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    workshop[Symbol.dispose]();
  });

  const commands = (site: string): readonly (readonly string[])[] => [
    [site, "--out", workshop.folder()],
    [site, "--out", workshop.folder(), "--poll-sitemaps"],
    ["sync", site, join(workshop.folder(), "copy")],
    ["check", site],
  ];

  test("is not trusted with a certificate that is signed by itself, and http is not asked in its place", async () => {
    await using transport = openTestTransport();
    const url = server.urlOf("example.test");
    await expect(transport.get(url)).rejects.toMatchObject({
      code: "UNREACHABLE",
      message: `${url} is not trusted: its certificate is signed by itself.`,
    });
    for (const site of [server.urlOf("127.0.0.1"), `127.0.0.1:${server.port}`]) {
      for (const command of commands(site)) {
        const { exit, stdout, stderr } = await rsHarvest(...command, "--allow-private");
        expect([exit, stderr]).toEqual([1, expect.stringContaining("signed by itself")]);
        expect(stdout).not.toContain("forged");
      }
    }
    expect([server.requests, server.plainRequests]).toEqual([[], []]);
  });

  test("is kept, whatever documents and redirects name", async () => {
    setDefaultCACertificates([...trusted, server.certificate]);
    const plain = `http://127.0.0.1:${server.port}/`;
    const { "/changelist.xml": moved = "", ...documents } = documentsAt(plain, "real.html");
    const answer = answering({ ...documents, "/moved.xml": moved, "/": "<title>Moss</title>" });
    server.answer = (request) =>
      request.path === "/changelist.xml"
        ? { status: 301, headers: { location: `${plain}moved.xml` } }
        : answer(request);
    for (const site of [server.urlOf("127.0.0.1"), `127.0.0.1:${server.port}`]) {
      for (const command of commands(site)) {
        const { stdout, stderr } = await rsHarvest(...command, "--allow-private");
        expect(stdout + stderr).not.toMatch(/forged|by http/);
      }
    }
    expect(server.requests.map(({ path }) => path)).toContain("/moved.xml");
    expect(server.plainRequests).toEqual([]);
  });
});

test("a server without TLS does not speak it", async () => {
  await using server = await SiteServer.start();
  await using transport = openTestTransport();
  const url = server.site("example.test").url.replace("http:", "https:");
  await expect(transport.get(url)).rejects.toMatchObject({
    code: "UNREACHABLE",
    message: `${url} does not speak TLS correctly.`,
  });
});

/** Answers https as it does http, once there is any. */
class LateTls implements Transport {
  isThere = false;
  readonly asked: string[] = [];
  readonly #plain: Transport;

  constructor(plain: Transport) {
    this.#plain = plain;
  }

  async get(...[url, ...rest]: Parameters<Transport["get"]>): Promise<Answer> {
    this.asked.push(url);
    if (url.startsWith("http:")) return this.#plain.get(url, ...rest);
    if (!this.isThere) {
      const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
      throw new UnreachableError(url, "refuses connections", cause);
    }
    const answer = await this.#plain.get(url.replace("https:", "http:"), ...rest);
    return { ...answer, url, permanentUrl: url };
  }
}

describeStores("a site without https, on $name", () => {
  let sites: FollowedSites;
  let tls: LateTls;
  let bare: string;
  let typed: string;
  beforeAll(async () => {
    sites = await FollowedSites.start();
  });
  afterAll(() => sites?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    await sites.reset();
    const site = sites.site("moss.test");
    sites.publish(site, documentsAt(site.url, "a.html"));
    bare = site.url.replace("http://", "");
    typed = `https://${bare}`;
    tls = new LateTls(sites.harvester.transport);
    sites.harvester.transport = tls;
  });

  const later = (seconds: number) => {
    sites.harvester.time += seconds;
  };
  const addressOf = async (id: number) => (await sites.source(id))?.description_url;

  test("is asked by http only where its name was typed bare, and that is said", async () => {
    const refused = await sites.follow(typed);
    expect(await sites.check(refused)).toMatchObject({ problem: "UNREACHABLE", asked: [] });
    const source = await sites.follow(bare);
    const { result, reported } = await sites.check(source);
    expect([result.kind, reported]).toEqual(["checked", [["created a.html"]]]);
    expect(result).toMatchObject({
      notes: [expect.stringMatching(/^Nothing answers at https:.*it is read by http/)],
    });
    // Its documents by http are no known source for who types https.
    expect(await sites.follow(`${typed}.well-known/resourcesync`)).not.toBe(source);
    expect(await sites.follow(`http://${bare}.well-known/resourcesync`)).toBe(source);
  });

  test("is asked by https each day, and by nothing else as soon as that answers", async () => {
    const source = await sites.follow(bare);
    await sites.check(source);
    later(7200);
    tls.asked.length = 0;
    await sites.check(source);
    expect(tls.asked.filter((url) => url.startsWith("https:"))).toEqual([]);
    tls.isThere = true;
    later(86_400);
    expect((await sites.check(source)).reported).toEqual([]);
    expect(await addressOf(source)).toBe(`${typed}.well-known/resourcesync`);
    tls.asked.length = 0;
    await sites.checkFully(source);
    expect(tls.asked.length).toBeGreaterThan(0);
    expect(tls.asked.filter((url) => url.startsWith("http:"))).toEqual([]);
    tls.isThere = false;
    later(86_400);
    expect(await sites.check(source)).toMatchObject({ problem: "UNREACHABLE" });
  });

  test("that is found by https at another address is asked by that from then on", async () => {
    const source = await sites.follow(`http://${bare}`);
    await sites.check(source);
    tls.isThere = true;
    const other = await sites.follow(typed);
    expect((await sites.check(other)).result).toEqual({ kind: "merged", into: source });
    expect(await addressOf(source)).toBe(`${typed}.well-known/resourcesync`);
    expect((await sites.checkFully(source)).reported).toEqual([]);
  });

  test("was followed by a version that fell back: it is asked by https again", async () => {
    const source = await sites.follow(typed);
    const { database } = sites.harvester;
    const description_url = `http://${bare}.well-known/resourcesync`;
    await database.updateTable("source").set({ description_url }).execute();
    expect(await sites.check(source)).toMatchObject({ problem: "UNREACHABLE", asked: [] });
    tls.isThere = true;
    expect((await sites.check(source)).reported).toEqual([["created a.html"]]);
    expect(await addressOf(source)).toBe(`${typed}.well-known/resourcesync`);
  });

  test("whose lists are compared, is asked as its Change List would be", async () => {
    const site = sites.site("moss.test");
    for (const path of Object.keys(documentsAt(site.url, "a.html")))
      site.answer(path, { status: 404 });
    const list = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${site.url}a.html</loc></url></urlset>`;
    sites.publish(site, {
      "/robots.txt": `Sitemap: ${site.urlOf("sitemap.xml")}`,
      "/sitemap.xml": list,
    });
    const rootsOf = async () =>
      (
        await sites.harvester.database
          .selectFrom("polling")
          .select(["source_id", "roots"])
          .execute()
      )
        .filter(({ roots }) => roots !== "[]")
        .map(({ source_id, roots }) => [source_id, JSON.parse(roots)]);
    const ids: number[] = [];
    for (const address of [typed, bare]) ids.push(await sites.follow(address));
    const { database } = sites.harvester;
    await database.updateTable("source").set({ polls_sitemap: 1 }).execute();
    for (const id of ids) await sites.check(id);
    expect(await rootsOf()).toEqual([[ids[1], [site.urlOf("sitemap.xml")]]]);
    tls.isThere = true;
    later(86_400);
    tls.asked.length = 0;
    expect((await sites.check(ids[1] ?? 0)).problem).toBe(null);
    expect(tls.asked.filter((url) => url.startsWith("http:"))).toEqual([]);
    expect(await rootsOf()).toEqual([[ids[1], [`${typed}sitemap.xml`]]]);
  });
});
