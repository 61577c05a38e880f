import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  childOf,
  childrenOf,
  descendantsOf,
  parseXml,
  textOf,
  type XmlElement,
} from "../../packages/feeds/test/support/xml.ts";
import { type Entry, type Followed, followFolder } from "./log.ts";
import { keyOf } from "./site.ts";

const DAY = 86_400;

/** The feeds of a site: each change that is not minor stands in one entry, and entries never change but for quotes and links of what is gone. */
export class Feeds {
  /** The bytes of entries, by their ids. */
  readonly #entries = new Map<string, string>();
  readonly #sayAlike: boolean;

  /** @param sayAlike whether one version writes them all: others may say the same in other words */
  constructor(sayAlike: boolean) {
    this.#sayAlike = sayAlike;
  }

  prove(folder: string, site: string): void {
    const { collections } = followFolder(folder, site);
    const listed = [...collections.values()].flatMap(({ resources }) => resources);
    const pages = new Set(listed.map((page) => keyOf(page.url)));
    for (const [url, followed] of collections) {
      const text = readFileSync(join(folder, url.slice(site.length), "changes.atom"), "utf8");
      const feed = parseXml(text);
      proveFeed(feed, followed, (page) => pages.has(keyOf(page)));
      if (!this.#sayAlike) continue;
      proveMessages(feed, followed);
      this.#proveKept(url, text);
    }
  }

  #proveKept(collection: string, text: string): void {
    const entries = new Map(
      (text.match(/<entry>.*?<\/entry>/gs) ?? []).map((entry) => [
        `${collection} ${/<id>.*?<\/id>/.exec(entry)?.[0]}`,
        withoutLinks(withoutQuotes(entry)),
      ]),
    );
    for (const [id, entry] of this.#entries) {
      if (id.startsWith(`${collection} `)) expect(entries.get(id), id).toBe(entry);
    }
    for (const [id, entry] of entries) this.#entries.set(id, entry);
  }
}

/** What leads to a page leads nowhere once that is gone. */
function withoutLinks(entry: string): string {
  return entry
    .replace(/<link rel="alternate"[^>]*>/, "")
    .replaceAll(/&lt;a href=".*?"/g, "&lt;span")
    .replaceAll("&lt;/a&gt;", "&lt;/span&gt;");
}

/** A quote is left out once its text no longer stands on the page. */
function withoutQuotes(entry: string): string {
  return entry
    .replaceAll(/&lt;p&gt;N(?:ew|ow): .*?&lt;\/p&gt;\s*/gs, "")
    .replaceAll(/&lt;br\/?&gt;N(?:ew|ow): .*?(?=&lt;\/li&gt;)/gs, "");
}

/** @param isThere whether any collection of the site lists a page */
function proveFeed(feed: XmlElement, followed: Followed, isThere: (url: string) => boolean): void {
  const groups = groupsOf(followed);
  const entries = entriesIn(feed);
  expect(entries.map(({ name }) => name)).toEqual([...groups.keys()].reverse());
  for (const { name, entry } of entries) {
    const told = toldIn(groups.get(name));
    expect(changesOf(entry), name).toEqual(told.map((one) => nameOf(one, isThere)).sort());
  }
}

/** A page's own note and the publication's stand on two lines. */
function proveMessages(feed: XmlElement, followed: Followed): void {
  const groups = groupsOf(followed);
  for (const { name, entry } of entriesIn(feed)) {
    const content = textOf(childOf(entry, "content"));
    const lines = toldIn(groups.get(name)).flatMap(({ message }) => message?.split("\n") ?? []);
    for (const line of lines) expect(content, name).toContain(line);
  }
}

function entriesIn(feed: XmlElement): { readonly name: string; readonly entry: XmlElement }[] {
  return childrenOf(feed, "entry").map((entry) => ({
    name: textOf(childOf(entry, "id")).split("/").at(-1) ?? "",
    entry,
  }));
}

/** A page that moved has one line, with its new address. */
function toldIn(group: readonly Entry[] = []): readonly Entry[] {
  const isCreated = (url: string | undefined) =>
    group.some((one) => one.kind === "created" && one.url === url);
  return group.filter(({ kind, moved }) => kind !== "deleted" || !isCreated(moved));
}

/** What a feed tells, the oldest first: each instant since thirty days before the first publication, or since the newest day before these. */
function groupsOf({ log, since }: Followed): Map<string, Entry[]> {
  const news = log.filter(({ minor }) => !minor);
  const groups = Map.groupBy(news, ({ datetime }) => instant(datetime));
  const newest = [...groups.keys()].findLast((name) => name <= instant(since)) ?? "";
  const firstDay = [newest, instant(since - 30 * DAY)].sort()[0]?.slice(0, 10) ?? "";
  for (const name of groups.keys()) if (name.slice(0, 10) < firstDay) groups.delete(name);
  return groups;
}

/** A change as an entry names it: when, and where the page stands, in another collection too if it moved there. */
function nameOf({ datetime, kind, url, moved }: Entry, isThere: (url: string) => boolean): string {
  const there = kind === "deleted" ? moved : url;
  const isGone = there === undefined || !isThere(there);
  return `${instant(datetime)} ${isGone ? "gone" : new URL(there).href}`;
}

/** The changes that an entry tells of; see `nameOf`. */
function changesOf(entry: XmlElement): string[] {
  const pages = descendantsOf(childOf(entry, "content") ?? entry).filter(
    ({ name, children }) =>
      /^(?:p|li)$/.test(name) &&
      children.some((one) => typeof one !== "string" && one.name === "time"),
  );
  return pages
    .map((page) => {
      // A second time is that of the file.
      const at = childOf(page, "time")?.attributes.datetime;
      return `${at} ${childOf(page, "a")?.attributes.href ?? "gone"}`;
    })
    .sort();
}

function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000", "");
}
