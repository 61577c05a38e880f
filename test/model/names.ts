import { readableAddress } from "@rs-emit/feeds";
import type { Entry } from "./log.ts";
import { isPage } from "./page.ts";
import { keyOf, type Site } from "./site.ts";

/** A part of a site is called by its home page. */
export function titleOf(collection: string, site: Site): string {
  if (collection === site.url) return site.choices.title;
  const home = site
    .standing()
    .find(({ url, collection: own }) => url === own && url === collection);
  const { host, pathname } = new URL(collection);
  return home?.page.title || host + pathname.slice(0, -1);
}

/** What followers call a page where its title is not enough: the site's, or that of another page. */
export function named(entry: Entry, collection: string, site: Site): Entry {
  const { kind, moved, title } = entry;
  if (title === undefined) return entry;
  const url = kind === "deleted" && moved !== undefined ? moved : entry.url;
  const name = nameOf(url, title, collection, site);
  return name === title ? entry : { ...entry, name };
}

function nameOf(url: string, title: string, collection: string, site: Site): string {
  const pages = site
    .standing()
    .filter((page) => page.collection === collection && isPage(page.file))
    .map((page) => ({ url: page.key === keyOf(url) ? url : page.url, title: page.page.title }));
  return nameAmong(pages, url, title, collection, site);
}

/** @param pages those that stand at that time, with their titles */
export function nameAmong(
  pages: readonly { readonly url: string; readonly title: string }[],
  url: string,
  title: string,
  collection: string,
  site: Site,
): string {
  const own = titleOf(collection, site);
  const urls = pages.map((page) => page.url);
  const namesakes = pages.filter((page) => page.title === title).map((page) => page.url);
  if (url === collection)
    return title === own ? "" : apart(url, title, collection, urls, namesakes);
  const home = pages.find((page) => page.url === collection)?.title;
  const isOfMany = namesakes.filter((one) => one !== collection).length >= 3;
  if (title === own || title === home || isOfMany) return endOf(url, collection, urls);
  return apart(url, title, collection, urls, namesakes);
}

/** Names of pages that stand beside each other, with our word for a home page. */
export function distinct(
  pages: readonly { readonly url: string; readonly name: string }[],
  collection: string,
): string[] {
  return pages.map(({ url, name }) => {
    const namesakes = pages.filter((page) => page.name === name).map((page) => page.url);
    const urls = pages.map((page) => page.url);
    const called = apart(url, name, collection, urls, namesakes);
    if (called !== "") return called;
    return url === collection ? "Home page" : endOf(url, collection, urls);
  });
}

/** No path of the model ends with a number. */
function apart(
  url: string,
  name: string,
  collection: string,
  urls: readonly string[],
  namesakes: readonly string[],
): string {
  if (namesakes.every((one) => one === url)) return name;
  if (url === collection) return "";
  const plain = namesakes.filter((one) => one !== collection);
  const shortest = plain.find((one) => {
    return plain.every((other) => other === one || other.length > one.length);
  });
  if (shortest === url) return name;
  const end = endOf(url, collection, urls);
  if (end.toLowerCase() !== name.toLowerCase()) return `${name} (${end})`;
  const [, longer = end] = endsOf(url, collection);
  return shortest === undefined ? name : `${name} (${longer})`;
}

/** The end of a path that no other page has, without `index` and extension. */
function endOf(url: string, collection: string, urls: readonly string[]): string {
  const taken = urls.filter((one) => one !== url).flatMap((one) => endsOf(one, collection));
  const own = endsOf(url, collection).find((end) => !taken.includes(end));
  return own ?? readableAddress(url, collection);
}

function endsOf(url: string, collection: string): readonly string[] {
  if (url === collection) return [];
  const path = readableAddress(url, collection)
    .replace(/\.x?html?$/, "")
    .replace(/(^|\/)index$/, "");
  const segments = path.split("/").filter(Boolean);
  return segments.map((_, at) => segments.slice(-1 - at).join("/"));
}
