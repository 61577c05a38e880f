import { DAY, type PageEvent } from "../log-model/pages.ts";

/** A source that another program makes. */
export interface Stranger {
  readonly name: string;
  /** Its documents, by path, after some changes. */
  readonly publish: (
    changes: readonly PageEvent[],
    now: number,
  ) => Readonly<Record<string, string>>;
  /** UTC seconds, when its log says that a change happened; `undefined` where it does not say when. */
  readonly instantOf: (change: PageEvent) => number | undefined;
  readonly pathOf: (page: string) => string;
}

const SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9";
const TERMS = "http://www.openarchives.org/rs/terms/";
const WELL = "/.well-known/resourcesync";

/** A time as clocks show it so many hours east of Greenwich, without the zone. */
function clock(seconds: number, hours = 0): string {
  return new Date((seconds + hours * 3600) * 1000).toISOString().slice(0, 19);
}

/**
 * A program that has its newest changes in memory, and writes the list for each request: up to this moment, in microseconds,
 * under prefixes of its own.
 */
const inMemory: Stranger = {
  name: "the newest changes, written anew for each request",
  instantOf: ({ datetime }) => datetime + 0.25,
  pathOf: (page) => `/resources/${page}`,
  publish(changes, now) {
    const micro = (seconds: number) => `${clock(seconds)}.250000Z`;
    const document = (md: string, ...entries: readonly string[]) =>
      `<sm:urlset xmlns:sm="${SITEMAPS}" xmlns:sync="${TERMS}"><sync:md ${md}/>${entries.join("")}</sm:urlset>`;
    const entry = (path: string, md: string, lastmod = "") =>
      `<sm:url><sm:loc>${path}</sm:loc>${lastmod}<sync:md ${md}/></sm:url>`;
    const entries = changes.slice(-40).map(({ page, kind, datetime, bytes }) => {
      const md = `change="${kind}" datetime="${micro(datetime)}"`;
      return kind === "deleted"
        ? entry(this.pathOf(page), md)
        : entry(
            this.pathOf(page),
            `${md} hash="md5:${bytes.padEnd(32, "0")}" length="17"`,
            `<sm:lastmod>${micro(datetime)}</sm:lastmod>`,
          );
    });
    return {
      [WELL]: document(
        'capability="description"',
        entry("/capabilitylist.xml", 'capability="capabilitylist"'),
      ),
      "/capabilitylist.xml": document(
        'capability="capabilitylist"',
        entry("/resourcelist.xml", 'capability="resourcelist"'),
        entry("/changelist.xml", 'capability="changelist"'),
      ),
      "/changelist.xml": document(`until="${micro(now)}" capability="changelist"`, ...entries),
    };
  },
};

/**
 * A program in Japan that writes a list for each day, below an index, in a folder of its own, without digests. Each list says
 * that it ends when it was written. Entries stand by kind, and `lastmod` is older than the change.
 */
const byDay: Stranger = {
  name: "a list for each day, which ends when it was written",
  instantOf: ({ datetime }) => datetime,
  pathOf: (page) => `/${page}.html`,
  publish(changes, now) {
    const ZONE = 9;
    const time = (seconds: number) => `${clock(seconds, ZONE)}+09:00`;
    const dayOf = (seconds: number) => Math.floor((seconds + ZONE * 3600) / DAY);
    const document = (root: string, md: string, ...entries: readonly string[]) =>
      `<${root} xmlns="${SITEMAPS}" xmlns:rs="${TERMS}">${md}${entries.join("")}</${root}>`;
    const entry = (path: string, md: string) => `<url><loc>${path}</loc><rs:md ${md}/></url>`;
    const days = [...Map.groupBy(changes, ({ published }) => dayOf(published))];
    const lists = days.map(([day, ofDay]) => {
      const begin = day * DAY - ZONE * 3600;
      const until = Math.min(begin + DAY, now);
      const md = `<rs:md capability="changelist" from="${time(begin)}" until="${time(until)}"/>`;
      const entries = ["created", "updated", "deleted"].flatMap((kind) =>
        ofDay
          .filter((change) => change.kind === kind)
          .map(
            ({ page, datetime }) =>
              `<url><loc>${this.pathOf(page)}</loc><lastmod>${clock(datetime - 9 * DAY).slice(0, 10)}</lastmod>` +
              `<rs:md change="${kind}" datetime="${time(datetime)}"/></url>`,
          ),
      );
      return { path: `/md/changelist_${day}.xml`, md, text: document("urlset", md, ...entries) };
    });
    const listed = lists.map(({ path, md }) => `<sitemap><loc>${path}</loc>${md}</sitemap>`);
    return {
      [WELL]: document(
        "urlset",
        '<rs:md capability="description"/>',
        entry("/md/capabilitylist.xml", 'capability="capabilitylist"'),
      ),
      "/md/capabilitylist.xml": document(
        "urlset",
        '<rs:md capability="capabilitylist"/>',
        entry("/md/changelist-index.xml", 'capability="changelist"'),
      ),
      "/md/changelist-index.xml": document(
        "sitemapindex",
        '<rs:md capability="changelist"/>',
        ...listed,
      ),
      ...Object.fromEntries(lists.map(({ path, text }) => [path, text])),
    };
  },
};

/** How somebody writes a time who never read the standard: each reads as that time, but for the one to the minute. */
const HANDS = [
  (seconds: number) => clock(seconds).replace("T", " "),
  (seconds: number) => `${clock(seconds, -5)}-0500`,
  (seconds: number) => `${clock(seconds).slice(0, 16)}Z`,
  (seconds: number) => ` ${clock(seconds)}z `,
];

/** A list by hand, the newest change first: times in any form, and not for each change. Its namespaces are declared where they are used. */
const byHand: Stranger = {
  name: "a list by hand, with times in any form, and not for each change",
  instantOf: ({ id, datetime }) => {
    if (id % 5 === 4) return undefined;
    return id % HANDS.length === 2 ? datetime - (datetime % 60) : datetime;
  },
  pathOf: (page) => `/garden/${page}/`,
  publish(changes) {
    const md = (text: string) => `<rs:md xmlns:rs="${TERMS}" ${text}/>`;
    const document = (capability: string, ...entries: readonly string[]) =>
      `\ufeff<urlset xmlns="${SITEMAPS}">${entries.join("\n")}${md(`capability="${capability}"`)}</urlset>`;
    const entry = (path: string, text: string, lastmod = "") =>
      `<url>${md(text)}<loc> ${path} </loc>${lastmod}</url>`;
    const entries = changes.toReversed().map(({ id, page, kind, datetime }) => {
      const time = HANDS[id % HANDS.length]?.(datetime);
      const isTold = this.instantOf({ id, datetime } as PageEvent) !== undefined;
      return entry(
        `../garden/./${page}/`,
        isTold ? `change="${kind}" datetime="${time}"` : `change="${kind}"`,
        "<lastmod>yesterday</lastmod>",
      );
    });
    return {
      [WELL]: document("description", entry("/meta/sets.xml", 'capability="capabilitylist"')),
      "/meta/sets.xml": document("capabilitylist", entry("news", 'capability="changelist"')),
      "/meta/news": document("changelist", ...entries),
    };
  },
};

export const STRANGERS: readonly Stranger[] = [inMemory, byDay, byHand];
