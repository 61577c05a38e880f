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
  const namesakes = site
    .standing()
    .filter((page) => page.collection === collection && isPage(page.file))
    .filter(({ page }) => page.title === title)
    .map((page) => (page.key === keyOf(url) ? url : page.url));
  return nameAmong(namesakes, url, title, collection, site);
}

/** @param namesakes the pages that have the title at that time */
export function nameAmong(
  namesakes: readonly string[],
  url: string,
  title: string,
  collection: string,
  site: Site,
): string {
  const address = readableAddress(url, collection);
  if (title === titleOf(collection, site)) return url === collection ? "Home page" : address;
  return apart(url, title, collection, namesakes);
}

/** Names of pages that stand beside each other. */
export function distinct(
  pages: readonly { readonly url: string; readonly name: string }[],
  collection: string,
): string[] {
  return pages.map(({ url, name }) => {
    const namesakes = pages.filter((page) => page.name === name).map((page) => page.url);
    return apart(url, name, collection, namesakes);
  });
}

/** No path of the model ends with a number. */
function apart(url: string, name: string, collection: string, all: readonly string[]): string {
  if (all.every((one) => one === url)) return name;
  if (url === collection) return "Home page";
  const plain = all.filter((one) => one !== collection);
  return plain.length === 1 && plain[0] === url
    ? name
    : `${name}, ${readableAddress(url, collection)}`;
}
