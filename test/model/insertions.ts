import { readableAddress } from "@rs-emit/feeds";
import { relativeLink } from "../../packages/core/src/model/url.ts";
import type { Entry } from "./log.ts";
import { AS_BUILT, bytesOf, type Inserted, isPage, LIST_LIMIT } from "./page.ts";
import type { Site, Standing } from "./site.ts";

/** The bytes of a file when nothing is written into its list of changes yet. */
export function linkedBytes(page: Standing, site: Site): Buffer {
  return bytesOf(page.file, page.page, { ...AS_BUILT, links: linksIn(page, site) });
}

/**
 * The bytes of a file as it is published.
 *
 * @param log of the collection in whose folder it stands
 */
export function publishedBytes(page: Standing, site: Site, log: readonly Entry[]): Buffer {
  return bytesOf(page.file, page.page, insertedInto(page, site, log));
}

/** The links stand in resources alone; a page of the folder that is none has a list nevertheless. */
function insertedInto(page: Standing, site: Site, log: readonly Entry[]): Inserted {
  const { listed } = page;
  const changes = listed === undefined ? AS_BUILT.changes : changesIn(page, listed, site, log);
  return { links: linksIn(page, site), changes };
}

function linksIn({ file, collection }: Standing, site: Site): string {
  if (!site.choices.link || collection === undefined || !isPage(file)) return "";
  const { pathname } = new URL(collection);
  const title = inAscii(titleOf(collection, site));
  const end = ` data-rs-emit="link"${file.endsWith(".xhtml") ? " /" : ""}>`;
  return (
    `<link rel="resourcesync" href="${pathname}capabilitylist.xml"${end}` +
    `<link rel="alternate" type="application/atom+xml" title="${title}" href="${pathname}changes.atom"${end}`
  );
}

/** The newest changes that are not minor, each URL once; those of one time by their URLs. */
function changesIn(page: Standing, collection: string, site: Site, log: readonly Entry[]): string {
  const newest = new Map<string, Entry>();
  const newestFirst = log.toSorted(
    (one, other) => other.datetime - one.datetime || (one.url < other.url ? -1 : 1),
  );
  for (const entry of newestFirst) {
    if (entry.minor || newest.has(entry.url)) continue;
    const isNewer = ({ url, datetime, minor }: Entry) =>
      url === entry.moved && !minor && datetime >= entry.datetime;
    if (entry.kind !== "deleted" || !log.some(isNewer)) newest.set(entry.url, entry);
  }
  const shown = [...newest.values()].slice(0, LIST_LIMIT);
  const own = titleOf(collection, site);
  const items = shown.map((entry) => {
    const { title, url } = entry;
    const address = readableAddress(url, collection);
    const isUnclear = title === own || shown.filter((one) => one.title === title).length > 1;
    const path = url === collection ? "/" : address;
    const name = title === undefined ? address : isUnclear ? `${title} (${path})` : title;
    return `${itemOf(entry, name, page.url)}\n`;
  });
  return items.length === 0 ? "" : `\n${items.join("")}`;
}

/** A part of a site is called by its home page. */
function titleOf(collection: string, site: Site): string {
  if (collection === site.url) return site.choices.title;
  const home = site
    .standing()
    .find(({ url, collection: own }) => url === own && url === collection);
  const { host, pathname } = new URL(collection);
  return home?.page.title || host + pathname.slice(0, -1);
}

function itemOf(
  { url, kind, datetime, message, moved }: Entry,
  called: string,
  from: string,
): string {
  const at = new Date(datetime * 1000).toISOString().replace(".000", "");
  const name = inAscii(called);
  const there = kind === "deleted" ? moved : url;
  const named =
    there === undefined
      ? `<span class="rs-emit-title p-name">${name}</span>`
      : `<a class="rs-emit-title u-url p-name" href="${inAscii(relativeLink(new URL(from), new URL(there)))}">${name}</a>`;
  const line = message?.replaceAll("\n", " ");
  const words = line === undefined ? "" : ` <span class="rs-emit-words">${line}</span>`;
  const date = `<time class="rs-emit-date dt-updated" datetime="${at}">${at.slice(0, 10)}</time>`;
  const id = `<data class="u-uid" value="${inAscii(`${url}#${at}`)}"></data>`;
  return `<li class="rs-emit-${moved === undefined ? kind : "moved"} h-entry">${date} ${named}${words}${id}</li>`;
}

function inAscii(text: string): string {
  return text.replace(/[^ -~]|[&<>"]/gu, (character) => `&#${character.codePointAt(0)};`);
}
