import { readableAddress } from "@rs-emit/feeds";
import type { Entry } from "./log.ts";
import { distinct, titleOf } from "./names.ts";
import { AS_BUILT, bytesOf, type Inserted, isPage, LIST_LIMIT } from "./page.ts";
import { keyOf, type Site, type Standing } from "./site.ts";

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
  const changes = listed === undefined ? AS_BUILT.changes : changesIn(listed, site, log);
  return { links: linksIn(page, site), changes };
}

function linksIn({ file, collection }: Standing, site: Site): string {
  if (!site.choices.link || collection === undefined || !isPage(file)) return "";
  const { pathname } = new URL(collection);
  const title = inAscii(titleOf(collection, site));
  const end = ` data-rs-emit="link"${file.endsWith(".xhtml") ? " /" : ""}>`;
  return (
    `<link rel="resourcesync" href="${pathname}capabilitylist.xml"${end}` +
    `<link rel="alternate" type="application/atom+xml" title="${title} &#8211; changes" href="${pathname}changes.atom"${end}`
  );
}

/**
 * The newest changes that are not minor, each URL once. Of one time first what is new, updated, moved and gone; then
 * what has words, then by URL. Pages that are gone have one line.
 */
function changesIn(collection: string, site: Site, log: readonly Entry[]): string {
  const news = log.filter(({ minor }) => !minor);
  const isNewest = ({ url, datetime }: Entry) =>
    !news.some((one) => one.url === url && one.datetime > datetime);
  const isReportedElsewhere = (entry: Entry) =>
    entry.kind === "deleted" &&
    news.some(({ url, datetime }) => url === entry.moved && datetime >= entry.datetime);
  const told = news
    .filter((entry) => isNewest(entry) && !isReportedElsewhere(entry))
    .sort(bestFirst);
  const lines: [Entry, ...Entry[]][] = [];
  for (const entry of told) {
    const last = lines.at(-1);
    const isGone = (one: Entry | undefined) => one !== undefined && rankOf(one) === 3;
    if (isGone(entry) && isGone(last?.[0]) && last?.[0].datetime === entry.datetime)
      last.push(entry);
    else lines.push([entry]);
  }
  // A page stays new while the list reaches back to its creation.
  const isNew = (line: Entry) =>
    line.kind === "updated" &&
    news.some(
      ({ url, kind, moved, datetime }) =>
        url === line.url &&
        kind === "created" &&
        moved === undefined &&
        lines.filter(([one]) => one.datetime > datetime).length < LIST_LIMIT,
    );
  const shown = lines
    .slice(0, LIST_LIMIT)
    .map(([line, ...others]): [Entry, ...Entry[]] => [
      isNew(line) ? { ...line, kind: "created" } : line,
      ...others,
    ]);
  const listed = shown
    .flat()
    .map((entry) => ({ url: entry.url, name: calledIn(entry, collection) }));
  const names = new Map(distinct(listed, collection).map((name, at) => [listed[at]?.url, name]));
  const items = shown.map((line) => `${itemOf(line, names, site)}\n`);
  return items.length === 0 ? "" : `\n${items.join("")}`;
}

function calledIn({ url, title, name }: Entry, collection: string): string {
  return name ?? title ?? (url === collection ? "" : readableAddress(url, collection));
}

function rankOf({ kind, moved }: Entry): number {
  return moved === undefined ? ["created", "updated", "", "deleted"].indexOf(kind) : 2;
}

function bestFirst(one: Entry, other: Entry): number {
  const isPlain = ({ message }: Entry) => Number(message === undefined);
  const isGone = rankOf(one) === 3;
  return (
    other.datetime - one.datetime ||
    rankOf(one) - rankOf(other) ||
    (isGone ? 0 : isPlain(one) - isPlain(other)) ||
    (one.url < other.url ? -1 : 1)
  );
}

/** The page's own address from the root; `undefined` for what is no page. */
function placeOf(url: string | undefined, site: Site): string | undefined {
  const page = site
    .standing()
    .find((one) => url !== undefined && one.key === keyOf(url) && one.collection !== undefined);
  return page && new URL(page.url).pathname;
}

const WORDS: Readonly<Record<string, string>> = {
  created: "new",
  updated: "updated",
  deleted: "gone",
};

function itemOf(
  [entry, ...others]: readonly [Entry, ...Entry[]],
  names: ReadonlyMap<string | undefined, string>,
  site: Site,
): string {
  const { url, kind, datetime, message, moved } = entry;
  const at = new Date(datetime * 1000).toISOString().replace(".000", "");
  const nameOf = (one: Entry) => inAscii(names.get(one.url) ?? "");
  const there = placeOf(kind === "deleted" ? moved : url, site);
  const shown = [entry, ...others.slice(0, 4)];
  const named =
    there === undefined
      ? shown.map((one) => `<span class="rs-emit-title p-name">${nameOf(one)}</span>`).join(", ")
      : `<a class="rs-emit-title u-url p-name" href="${inAscii(there)}">${nameOf(entry)}</a>`;
  const rest = others.length - 4;
  const more = rest > 0 ? ` and ${rest} more` : "";
  const line = message?.replaceAll("\n", " ");
  const words =
    line === undefined
      ? ""
      : ` <span class="rs-emit-dash">&#8211; </span><span class="rs-emit-words">${line}</span>`;
  const what = moved === undefined ? kind : "moved";
  const date = `<time class="rs-emit-date dt-updated" datetime="${at}">${at.slice(0, 10)}</time>`;
  const word = `<span class="rs-emit-kind">${WORDS[what] ?? what}</span>`;
  const ids = shown.map(
    (one) => `<data class="u-uid" value="${inAscii(`${one.url}#${at}`)}"></data>`,
  );
  return `<li class="rs-emit-${what} h-entry">${date} ${word} ${named}${more}${words}${ids.join("")}</li>`;
}

function inAscii(text: string): string {
  return text.replace(/[^ -~]|[&<>"]/gu, (character) => `&#${character.codePointAt(0)};`);
}
