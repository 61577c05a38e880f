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

const DAY = 86_400;

/** The feeds of a site: each change that is not minor stands in one entry, and entries never change but for quotes. */
export class Feeds {
  /** The bytes of entries, by their ids. */
  readonly #entries = new Map<string, string>();

  prove(folder: string, site: string): void {
    for (const [url, followed] of followFolder(folder, site).collections) {
      const text = readFileSync(join(folder, url.slice(site.length), "changes.atom"), "utf8");
      proveFeed(parseXml(text), followed);
      this.#proveKept(url, text);
    }
  }

  #proveKept(collection: string, text: string): void {
    const entries = new Map(
      (text.match(/<entry>.*?<\/entry>/gs) ?? []).map((entry) => [
        `${collection} ${/<id>.*?<\/id>/.exec(entry)?.[0]}`,
        // Its title names the collection by the title that it has now, which decides what has its path beside it.
        withoutQuotes(entry.replace(/<title>.*?<\/title>/s, "")).replaceAll(/ \([^()]*\)/g, ""),
      ]),
    );
    for (const [id, entry] of this.#entries) {
      if (id.startsWith(`${collection} `)) expect(entries.get(id), id).toBe(entry);
    }
    for (const [id, entry] of entries) this.#entries.set(id, entry);
  }
}

/** A quote is left out once its text no longer stands on the page. */
function withoutQuotes(entry: string): string {
  return entry
    .replace(/<summary>.*?<\/summary>/s, "")
    .replaceAll(/&lt;p&gt;N(?:ew|ow): .*?&lt;\/p&gt;\s*/gs, "")
    .replaceAll(/&lt;br\/?&gt;N(?:ew|ow): .*?(?=&lt;\/li&gt;)/gs, "");
}

function proveFeed(feed: XmlElement, followed: Followed): void {
  const entries = childrenOf(feed, "entry").map((entry) => ({
    name: textOf(childOf(entry, "id")).split("/").at(-1) ?? "",
    changes: changesOf(entry),
    entry,
  }));
  const groups = groupsOf(followed);
  expect(entries.map(({ name }) => name)).toEqual([...groups.keys()].reverse());
  for (const { name, changes, entry } of entries) {
    const told = (groups.get(name) ?? []).filter((one, _, others) => !isToldAsMoved(one, others));
    expect(changes, name).toEqual(told.map(nameOf).sort());
    const content = textOf(childOf(entry, "content"));
    for (const { message } of told) if (message !== undefined) expect(content).toContain(message);
  }
}

/** A page that moved has one line, with its new address. */
function isToldAsMoved({ kind, moved }: Entry, others: readonly Entry[]): boolean {
  return kind === "deleted" && others.some((one) => one.kind === "created" && one.url === moved);
}

/**
 * What a feed tells, the oldest first: each publication, and each of the thirty days before the first. Where
 * these have new pages alone, they are one entry.
 */
function groupsOf({ log, since }: Followed): Map<string, Entry[]> {
  const news = log.filter(({ minor }) => !minor);
  const isOfPages = news.every(({ datetime, kind }) => datetime > since || kind === "created");
  const groups = Map.groupBy(news, ({ datetime }) => {
    if (isOfPages && datetime <= since) return instant(since);
    return datetime < since ? instant(datetime).slice(0, 10) : instant(datetime);
  });
  const firstDay = instant(since - 30 * DAY).slice(0, 10);
  const past = [...groups.keys()].filter((name) => name <= instant(since));
  for (const name of past.slice(0, -1)) if (name < firstDay) groups.delete(name);
  return groups;
}

/** A change as an entry names it: when, and the address of a page that stands. */
function nameOf({ datetime, kind, url }: Entry): string {
  return `${instant(datetime)} ${kind === "deleted" ? "gone" : new URL(url).href}`;
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
