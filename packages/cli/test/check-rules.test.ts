import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { HOST_RULES, type HostRule } from "@rs-emit/check";
import { emit } from "@rs-emit/core";
import { noLogMarker } from "@rs-emit/documents";
import { beforeAll, expect, test } from "vitest";
import { folderOf, page, temporaryFolder, write } from "./support/folder.ts";
import { host, serve } from "./support/host.ts";
import { Terminal } from "./support/terminal.ts";

/** What a host does to a path; nothing leaves the file as it is. */
type Deed = (path: string, isPast: boolean, folder: string) => Answer | undefined;

interface Answer {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Case {
  /** What became of the folder after it was published. */
  readonly folder?: (folder: string) => void;
  /** What the host does, where a live site is checked. */
  readonly host?: Deed;
  /** The site's address when it was published, and what is checked below it. */
  readonly site?: string;
  readonly at?: string;
  readonly options?: readonly string[];
  /** Part of what is said, and of what is to be done. */
  readonly said: RegExp;
  readonly cure: RegExp;
}

const on =
  (paths: string | RegExp, answer: Answer): Deed =>
  (path) =>
    (typeof paths === "string" ? path === paths : paths.test(path)) ? answer : undefined;

const YEAR = { headers: { "cache-control": "public, max-age=31536000" } };

/** A host serves documents with other bytes. */
const rewritten =
  (paths: RegExp, change: (text: string) => string): Deed =>
  (path, _, folder) => {
    const file = join(folder, path);
    const isOne = paths.test(path) && existsSync(file);
    return isOne ? { body: change(readFileSync(file, "utf8")) } : undefined;
  };

/** Each rule about hosts, pages and folders, and ways to break it. One needs millions of entries. */
const CASES: Readonly<Record<Exclude<HostRule, "too-much">, readonly [Case, ...Case[]]>> = {
  "nothing-published": [
    { host: () => ({ status: 404 }), said: /nothing leads/, cure: /Publish the site/ },
    { host: () => ({ status: 403 }), said: /nothing leads/, cure: /check the address/ },
  ],
  "no-log": [
    {
      folder: (folder) =>
        write(folder, { ".well-known/resourcesync": noLogMarker("https://example.org/") }),
      said: /went on without/,
      cure: /Do not deploy/,
    },
  ],
  "next-run": [
    {
      folder: edited("resourcelist.xml", (xml) => xml.replaceAll("\n", "\r\n")),
      said: /resourcelist\.xml .* cannot be continued: its hash/,
      cure: /^Let nothing change the files: .* --previous site/,
    },
    {
      host: on("/changelist.xml", { body: "<urlset/>" }),
      said: /changelist\.xml/,
      cure: /Deploy the last publication again/,
    },
  ],
  "dot-folder": [
    {
      folder: (folder) => rmSync(join(folder, ".well-known"), { recursive: true }),
      said: /folder \.well-known is missing/,
      cure: /Run rs-emit again/,
    },
    { host: on(/^\/\./, { status: 404 }), said: /does not serve/, cure: /Upload the folder/ },
    { host: on(/^\/\./, { status: 403 }), said: /answers 403/, cure: /Let the host serve/ },
    {
      host: (path) => (/^\/\.|nothing/.test(path) ? { status: 403 } : undefined),
      said: /does not serve/,
      cure: /Upload the folder/,
    },
    {
      at: "night/bus.html",
      host: on(/\.well-known/, { status: 404 }),
      said: /does not serve \.well-known/,
      cure: /Upload the folder/,
    },
  ],
  "below-root": [
    {
      site: "https://garden.example/project/",
      said: /below a path/,
      cure: /link to its log/,
    },
  ],
  "other-base": [
    {
      options: ["--url", "https://other.example/"],
      said: /they name https:\/\/garden\.example\/capabilitylist\.xml, not https:\/\/other\.example/,
      cure: /Check with the address/,
    },
    {
      host: rewritten(/resourcesync$/, (text) =>
        text.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:9"),
      ),
      said: /they name http:\/\/127\.0\.0\.1:9\//,
      cure: /publish with --url http:\/\/127/,
    },
  ],
  robots: [
    {
      folder: (folder) => write(folder, { "robots.txt": "User-agent: *\nDisallow: /*.xml$\n" }),
      said: /It refuses .*capabilitylist\.xml/,
      cure: /Allow: \/capabilitylist\.xml/,
    },
    {
      host: on("/robots.txt", { body: "User-agent: rs-harvest\nDisallow: /" }),
      said: /It refuses .*resourcesync/,
      cure: /Allow: \/\.well-known/,
    },
    { host: on("/robots.txt", { status: 503 }), said: /answers 503/, cure: /answer 404/ },
  ],
  "no-answer": [
    {
      site: "http://127.0.0.1:9/",
      host: () => undefined,
      said: /cannot be fetched/,
      cure: /Check the address/,
    },
  ],
  status: [
    { host: on("/moss.html", { status: 403 }), said: /answers 403/, cure: /host/ },
    { host: on("/changelist.xml", { status: 401 }), said: /answers 401/, cure: /everybody/ },
    {
      host: on("/sitemap.xml", { status: 403 }),
      said: /sitemap.xml answers 403/,
      cure: /everybody/,
    },
    { host: on("/changes.atom", { status: 451 }), said: /answers 451/, cure: /Find out/ },
    { host: on(/\.zip$/, { status: 403 }), said: /\.zip answers 403/, cure: /refuses \.zip files/ },
    { host: on("/changes.atom", { status: 403 }), said: /answers 403/, cure: /everybody/ },
    {
      host: (path) => ({ status: /\.well-known/.test(path) ? 403 : 404 }),
      said: /answers 403/,
      cure: /Let the host serve \.well-known/,
    },
  ],
  unreadable: [
    {
      folder: edited("changelist/2026-11.xml", (xml) => xml.replace("</loc>", "<loc>")),
      said: /loc/,
      cure: /Publish|rs-emit|correct/i,
    },
  ],
  orphan: [
    {
      folder: (folder) =>
        cpSync(join(folder, "changelist/2026-10.xml"), join(folder, "changelist/2025.xml")),
      said: /Nothing links to .*2025/,
      cure: /left-over/,
    },
  ],
  "document-bytes": [
    {
      host: rewritten(/changelist\/2026-10/, (text) => text.replaceAll("\n", "\r\n")),
      said: /other line ends/,
      cure: /binary mode/,
    },
    {
      folder: edited("changelist/2026-10.xml", (xml) => `${xml}<!-- by hand -->`),
      said: /is not the list/,
      cure: /whole folder again/,
    },
  ],
  "resource-missing": [
    {
      folder: (folder) => renameSync(join(folder, "index.html"), join(folder, "home.html")),
      said: /no file for/,
      cure: /Run rs-emit again/,
    },
    { host: on("/moss.html", { status: 404 }), said: /answers 404/, cure: /Upload the page/ },
  ],
  "resource-bytes": [
    {
      folder: edited("index.html", (html) => `${html}<!-- built again -->`),
      said: /is not the file/,
      cure: /last step of the build/,
    },
    { host: on("/moss.html", { body: page("Moss") }), said: /not served with/, cure: /Upload/ },
  ],
  "resource-rewritten": [
    {
      host: on("/moss.html", { body: '<a href="/cdn-cgi/l/email-protection#aa">me</a>' }),
      said: /Cloudflare's address obfuscation/,
      cure: /Email Address Obfuscation/,
    },
  ],
  "resource-type": [
    {
      host: on("/moss.html", { headers: { "content-type": "text/plain" } }),
      said: /text\/plain, not as text\/html/,
      cure: /media type/,
    },
  ],
  "package-missing": [
    {
      folder: (folder) => rmSync(join(folder, "resourcedump/1.zip")),
      said: /no file for the package/,
      cure: /rs-emit/,
    },
    { host: on(/\.zip$/, { status: 404 }), said: /answers 404/, cure: /refuses \.zip files/ },
  ],
  "package-bytes": [
    {
      folder: edited("resourcedump/1.zip", (bytes) => `${bytes} and more`),
      said: /is not the package/,
      cure: /Run rs-emit again/,
    },
  ],
  "package-manifest": [
    {
      folder: edited("resourcedump/1-manifest.xml", (text) => `${text}\n`),
      said: /manifest/,
      cure: /./,
    },
  ],
  "deleted-served": [
    { host: on("/old.html", { body: "still" }), said: /but served/, cure: /Delete it/ },
  ],
  redirect: [
    {
      host: (path) =>
        path === "/moss.html"
          ? { status: 301, headers: { location: "/moss" } }
          : path === "/moss"
            ? { body: MOSS }
            : undefined,
      said: /leads to .*\/moss\./,
      cure: /--clean-urls/,
    },
  ],
  "content-type": [
    {
      host: on(/\.xml$/, { headers: { "content-type": "text/html" } }),
      said: /text\/html/,
      cure: /application\/xml/,
    },
  ],
  compression: [
    {
      host: rewritten(/changelist\.xml$/, (text) => `${text}<!--${"x".repeat(100_000)}-->`),
      said: /without compression/,
      cure: /compression/,
    },
  ],
  "stale-copy": [
    {
      host: (path, isPast) => {
        if (path !== "/changelist.xml") return undefined;
        return isPast ? { body: "newer" } : { headers: { age: "7200" } };
      },
      said: /2 hours ago/,
      cure: /Clear the host's cache/,
    },
  ],
  "long-cache": [
    { host: on("/resourcelist.xml", YEAR), said: /365 days/, cure: /minutes/ },
    { host: on("/changes.atom", YEAR), said: /365 days/, cure: /max-age=600/ },
    {
      host: on("/changelist.xml", {
        headers: {
          date: "Thu, 01 Oct 2026 12:00:00 GMT",
          expires: "Sat, 31 Oct 2026 12:00:00 GMT",
        },
      }),
      said: /30 days/,
      cure: /minutes/,
    },
  ],
  "catch-all": [{ host: on(/rs-check/, { body: "Hello" }), said: /does not exist/, cure: /404/ }],
  "page-link": [
    {
      folder: edited("index.html", (html) => html.replace(/<link rel="resourcesync"[^>]*>/, "")),
      said: /1 of 3 pages/,
      cure: /<link rel="resourcesync" href="\/capabilitylist\.xml">/,
    },
  ],
  "page-link-target": [
    {
      folder: edited("index.html", (html) => html.replace("/capabilitylist.xml", "/none.xml")),
      said: /none\.xml, which is no document/,
      cure: /capabilitylist\.xml/,
    },
  ],
  "feed-missing": [
    {
      folder: (folder) => rmSync(join(folder, "changes.atom")),
      said: /garden\.example\/.* links to this feed/,
      cure: /take the link out/,
    },
    {
      folder: edited("index.html", (html) => html.replace("/changes.atom", "/news.atom")),
      said: /links to this feed/,
      cure: /upload it/,
    },
    { host: on("/changes.atom", { status: 404 }), said: /not there/, cure: /upload it/ },
  ],
  "feed-unreadable": [
    { folder: edited("changes.atom", (xml) => xml.slice(0, -20)), said: /XML/, cure: /upload/ },
    { folder: feedNamed("news.atom", (xml) => xml.slice(0, -20)), said: /XML/, cure: /upload/ },
  ],
  "feed-stale": [
    { folder: edited("changes.atom", older), said: /newer change/, cure: /upload the feed/ },
    { folder: feedNamed("news.atom", older), said: /newer change/, cure: /upload the feed/ },
  ],
  "sitemap-missing": [
    {
      folder: (folder) => rmSync(join(folder, "sitemap.xml")),
      said: /not there: robots\.txt names it/,
      cure: /upload/,
    },
  ],
  "sitemap-unreadable": [
    { folder: edited("sitemap.xml", (xml) => xml.slice(0, -20)), said: /./, cure: /upload/ },
  ],
  "sitemap-named": [
    { folder: (folder) => rmSync(join(folder, "robots.txt")), said: /not name/, cure: /Sitemap: / },
  ],
  "sitemap-gone": [
    {
      folder: edited("sitemap.xml", (xml) => xml.replace("/moss.html", "/old.html")),
      said: /not there: .*old\.html/,
      cure: /Publish again/,
    },
    {
      folder: edited("sitemap.xml", (xml) => xml.replace("/moss.html", "/never.html")),
      host: () => undefined,
      said: /not there: .*never\.html/,
      cure: /Publish again/,
    },
  ],
  "sitemap-stale": [
    {
      folder: edited("sitemap.xml", (xml) => xml.replace("2026-11-03", "2026-10-01")),
      said: /last change of .*moss\.html/,
      cure: /upload the sitemap/,
    },
    {
      folder: edited("sitemap.xml", (xml) => xml.replace(/<url>\s*<loc>[^<]*moss.*?<\/url>/s, "")),
      said: /last change of .*moss\.html/,
      cure: /upload the sitemap/,
    },
  ],
  "sitemap-future": [
    {
      folder: edited("sitemap.xml", (xml) => xml.replace("2026-11-03", "2999-01-01")),
      said: /1 of its dates/,
      cure: /clock/,
    },
  ],
  "sitemap-one-date": [
    {
      folder: edited("sitemap.xml", (xml) =>
        xml.replace(
          /<url>.*<\/url>/s,
          "abcde".replaceAll(
            /./g,
            "<url><loc>https://garden.example/$&.html</loc><lastmod>2026-11-03</lastmod></url>",
          ),
        ),
      ),
      said: /All 5 dates/,
      cure: /option sitemap/,
    },
  ],
};

const MOSS = page("Moss", "More of it");

function edited(file: string, change: (text: string) => string): (folder: string) => void {
  return (folder) => {
    const before = readFileSync(join(folder, file), "latin1");
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(join(folder, file), after, "latin1");
  };
}

/** The log's feed under another name, to which a page links. */
function feedNamed(name: string, change: (text: string) => string): (folder: string) => void {
  return (folder) => {
    edited("changes.atom", change)(folder);
    renameSync(join(folder, "changes.atom"), join(folder, name));
    edited("index.html", (html) => html.replace("/changes.atom", `/${name}`))(folder);
  };
}

function older(feed: string): string {
  return feed.replaceAll("2026-11-03", "2026-10-02");
}

const GARDEN = "https://garden.example/";
const sites = new Map<string, Promise<string>>();
let live: { readonly url: string; answer: RequestListener };

beforeAll(async () => {
  const url = await host((request, response) => live.answer(request, response));
  live = { url, answer: () => undefined };
});

/** A site that was published twice: a page was edited, and one deleted. */
async function published(url: string): Promise<string> {
  const site = sites.get(url) ?? publishTwice(url);
  sites.set(url, site);
  const folder = temporaryFolder();
  cpSync(await site, folder, { recursive: true, preserveTimestamps: true });
  return folder;
}

async function publishTwice(url: string): Promise<string> {
  const pages = ["index", "moss", "night/bus", "old"].map((name) => [`${name}.html`, page(name)]);
  const folder = folderOf(Object.fromEntries(pages));
  const isRoot = new URL(url).pathname === "/";
  const engines = { sitemap: true, robots: isRoot };
  const options = { folder, url, ...engines, link: true, dump: true, testAddress: true } as const;
  const publish = (now: string) =>
    emit({ ...options, history: "files", previous: "output", first: true, now });
  await publish("2026-10-01T12:00:00Z");
  const moss = readFileSync(join(folder, "moss.html"), "utf8");
  write(folder, { "moss.html": moss.replace(">moss<", ">More of it<") });
  rmSync(join(folder, "old.html"));
  await publish("2026-11-03T12:00:00Z");
  return folder;
}

function listener(folder: string, deed: Deed): RequestListener {
  const files = serve(folder);
  return (request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://host");
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    const done = deed(path, search !== "", folder);
    const type = /\.html$|\/moss$/.test(path) ? "text/html" : "application/xml";
    response.setHeader("content-type", type);
    for (const [name, value] of Object.entries(done?.headers ?? {}))
      response.setHeader(name, value);
    request.url = path;
    if (done?.status === undefined && done?.body === undefined) files(request, response);
    else response.writeHead(done.status ?? 200).end(done.body ?? "");
  };
}

const ROWS = Object.entries(CASES).flatMap(([rule, cases]) =>
  cases.map((one, at) => ({ rule, name: `${rule}, case ${at + 1}`, one })),
);

test.each(ROWS)("$name: it is found, with what cures it", async ({ rule, one }) => {
  const isLive = one.host !== undefined;
  const url = one.site ?? (isLive ? live.url : GARDEN);
  const folder = await published(url);
  one.folder?.(folder);
  live.answer = listener(folder, one.host ?? (() => undefined));
  const place = isLive ? new URL(one.at ?? "", url).href : folder;
  const args = ["check", place, "--json", "--sample", "all", ...(one.options ?? [])];
  const { stdout } = await new Terminal().run(args);
  const { findings }: { findings: { rule: string; level: string; what: string; cure: string }[] } =
    JSON.parse(stdout);
  const found = findings.filter((finding) => finding.rule === rule);
  expect(findings.map((finding) => finding.rule)).toContain(rule);
  const said = found.find(({ what, cure }) => one.said.test(what) && one.cure.test(cure));
  expect(said, JSON.stringify(found)).toMatchObject({ level: levelOf(rule) });
});

function levelOf(rule: string): string | undefined {
  return Object.entries(HOST_RULES).find(([id]) => id === rule)?.[1].level;
}
