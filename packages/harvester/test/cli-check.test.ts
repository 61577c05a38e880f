import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SiteServer } from "../../reader/test/support/site-server.ts";
import { rsHarvest } from "./support/command.ts";

let server: SiteServer;
beforeAll(async () => {
  server = await SiteServer.start();
});
beforeEach(() => server.reset());
afterAll(() => server[Symbol.asyncDispose]());

const XML = { headers: { "content-type": "application/xml" } };
const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';

/** A source whose log is one Change List, and which is found from its page. */
function source(changes: string, resources = ""): string {
  const site = server.site("127.0.0.1");
  const at = (path: string) => site.urlOf(path);
  const page = `<!doctype html><title>Moss</title><link rel="resourcesync" href="/sync/capabilitylist.xml">`;
  const put = (path: string, body: string) => site.answer(path, { body, ...XML });
  site.answer("/moss/", { body: page, headers: { "content-type": "text/html" } });
  put(
    "/.well-known/resourcesync",
    `<urlset ${NAMESPACES}><rs:md capability="description"/>
<url><loc>${at("sync/capabilitylist.xml")}</loc><rs:md capability="capabilitylist"/></url></urlset>`,
  );
  put(
    "/sync/capabilitylist.xml",
    `<urlset ${NAMESPACES}>
<rs:ln rel="up" href="${at(".well-known/resourcesync")}"/>
<rs:md capability="capabilitylist"/>
<url><loc>${at("sync/resourcelist.xml")}</loc><rs:md capability="resourcelist"/></url>
<url><loc>${at("sync/changelist.xml")}</loc><rs:md capability="changelist"/></url></urlset>`,
  );
  put(
    "/sync/resourcelist.xml",
    `<urlset ${NAMESPACES}>
<rs:ln rel="up" href="${at("sync/capabilitylist.xml")}"/>
<rs:md capability="resourcelist" at="2026-10-01T12:00:00Z"/>
<url><loc>${at("moss/")}</loc>
<rs:md length="${Buffer.byteLength(page)}" type="text/html"/></url>${resources}</urlset>`,
  );
  put(
    "/sync/changelist.xml",
    `<urlset ${NAMESPACES}>
<rs:ln rel="up" href="${at("sync/capabilitylist.xml")}"/>
<rs:md capability="changelist" from="2026-09-01T00:00:00Z"/>
${changes}</urlset>`,
  );
  return at("moss/");
}

const CHANGE = (attributes: string, lastmod = "") =>
  `<url><loc>${server.site("127.0.0.1").urlOf("moss/")}</loc>${lastmod}<rs:md change="updated" ${attributes}/></url>`;

const DATED = 'datetime="2026-09-10T00:00:00Z"';

async function check(...args: readonly string[]) {
  const { exit, stdout } = await rsHarvest("check", "--allow-private", "--json", ...args);
  const { findings }: { findings: { rule: string; level: string; line?: number }[] } =
    JSON.parse(stdout);
  return { exit, findings };
}

describe("rs-harvest check", () => {
  test("judges a source that is found from one of its pages", async () => {
    const { exit, findings } = await check(source(CHANGE(DATED)));
    expect(exit).toBe(1);
    const errors = findings.filter(({ level }) => level === "error").map(({ rule }) => rule);
    expect(new Set(errors)).toEqual(new Set(["ifcc-entry-describes", "ifcc-describes"]));
  });

  test("a source of 0.9.1, whose changes have no datetime: each at its line", async () => {
    const lastmod = "<lastmod>2026-09-10T00:00:00Z</lastmod>";
    const { findings } = await check(source(`${CHANGE("", lastmod)}\n${CHANGE("", lastmod)}`));
    const undated = findings.filter(({ rule }) => rule === "ifcc-datetime");
    expect(undated.map(({ line }) => line)).toEqual([4, 5]);
  });

  test("what the host does is found with the rules of rs-emit check", async () => {
    const page = source(CHANGE(DATED));
    server.site("127.0.0.1").answer("/moss/", {
      status: 200,
      body: '<!doctype html><a href="/cdn-cgi/l/email-protection">mail</a>',
      headers: { "content-type": "text/html" },
    });
    const { findings } = await check(page);
    expect(findings.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(["resource-rewritten", "page-link"]),
    );
  });

  test("as text, with warnings that count where that is asked for", async () => {
    const { exit, stdout } = await rsHarvest("check", "--allow-private", source(CHANGE(DATED)));
    expect(exit).toBe(1);
    expect(stdout).toMatch(/error ifcc-describes .*\n.*\n +Why it matters: .*\n +What to do: /);
    const rules = new Set([...stdout.matchAll(/^ {2}\w+ ([a-z-]+)/gm)].map(([, rule]) => rule));
    const links = [...stdout.matchAll(/The rule: https:\/\/\S+\/docs\/rules\.md#(\S+)\n/g)];
    expect(links.map(([, rule]) => rule)).toEqual([...rules]);
  });

  test("a site without a log, a private address, and wrong usage", async () => {
    server.site("127.0.0.1").answer("*", { status: 404 });
    const url = server.site("127.0.0.1").url;
    expect(await rsHarvest("check", "--allow-private", url)).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/publishes no ResourceSync documents/),
    });
    expect(await rsHarvest("check", url)).toMatchObject({ exit: 1, stdout: "" });
    expect(server.requests.length).toBeGreaterThan(0);
    expect(await rsHarvest("check")).toMatchObject({ exit: 2 });
    expect(await rsHarvest("check", url, "--sample", "few")).toMatchObject({ exit: 2 });
  });
});
