import type { Entry, Link, Metadata, ParsedDocument } from "@rs-emit/documents";
import { type CheckedSite, type CheckRequest, check, type Site } from "../src/index.ts";
import { at, type Edit, NOW, on, own, SITE, site, WELL_FORMED } from "./rules.site.ts";

export const DESCRIPTION = `${SITE}/.well-known/resourcesync`;

export type Files = Map<string, string | Buffer>;

/** A site in memory, a folder as far as a check can tell. */
export function memorySite(files: Files, isLive = false): Site {
  return {
    isLive,
    async get(url) {
      const body = files.get(url);
      const isThere = body !== undefined;
      return {
        status: isThere ? 200 : 404,
        redirects: [],
        header: () => undefined,
        body: isThere ? [typeof body === "string" ? Buffer.from(body) : body] : [],
        file: isThere ? new URL(url).pathname.slice(1) : undefined,
      };
    },
  };
}

/** The well-formed site of one collection, without dumps, as files. Its page fern.html links to its log. */
export function published(edits: Readonly<Record<string, Edit>> = {}): Files {
  const list = WELL_FORMED["capability-list"];
  const kept = list.document.entries.filter(({ loc }) => !/dump/.test(loc));
  const documents = new Map([...site()].filter(([url]) => !/dump|manifest|^notif/.test(url)));
  documents.set(list.url, { ...list.document, entries: kept });
  documents.set(at("channel"), own({ until: on("12:00:00") })(notification()));
  const files: Files = new Map([[`${SITE}/about.xml`, "<about/>"]]);
  for (const [url, document] of documents)
    files.set(url, xmlOf(edits[url]?.(document) ?? document));
  return files;
}

function notification(): ParsedDocument {
  return WELL_FORMED["change-notification"].document;
}

/** What a check of these files finds. */
export function checked(files: Files, rest: Partial<CheckRequest> = {}): Promise<CheckedSite> {
  const present = [...files]
    .filter(([, content]) => content.includes("http://www.openarchives.org/rs/terms/"))
    .map(([url]) => ({ url, file: new URL(url).pathname.slice(1) }));
  const request = {
    site: memorySite(files),
    description: DESCRIPTION,
    sample: 0,
    present,
    now: NOW,
  };
  return check({ ...request, ...rest });
}

/** The rules that a check finds broken. */
export async function rulesBroken(
  files: Files,
  rest: Partial<CheckRequest> = {},
): Promise<readonly string[]> {
  const { findings } = await checked(files, rest);
  return findings.map(({ rule }) => rule);
}

/** A document as XML, one element in a line, whatever is wrong with it. */
export function xmlOf({ root, metadata, links, entries }: ParsedDocument): string {
  const name = root === "urlset" ? "url" : "sitemap";
  return [
    `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">`,
    ...links.map((link) => element("rs:ln", link)),
    element("rs:md", metadata),
    ...entries.flatMap((entry) => [`<${name}>`, ...detailsOf(entry), `</${name}>`]),
    `</${root}>\n`,
  ].join("\n");
}

function detailsOf({ metadata, links = [], ...texts }: Entry): readonly string[] {
  return [
    ...Object.entries(texts).map(([name, text]) => `<${name}>${escaped(text)}</${name}>`),
    ...(metadata === undefined ? [] : [element("rs:md", metadata)]),
    ...links.map((link) => element("rs:ln", link)),
  ];
}

function element(name: string, { foreign: _, ...texts }: Metadata | Link): string {
  const told = Object.entries(texts).filter(([, value]) => value !== undefined);
  return `<${name}${told.map(([key, value]) => ` ${key}="${escaped(value)}"`).join("")}/>`;
}

function escaped(text = ""): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
