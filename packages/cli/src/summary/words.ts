import { relative } from "node:path";

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** A number of things: `1 page`, `1,204 pages`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** A day for a reader: `5 October 2026`. */
export function day(seconds: number): string {
  return DAY.format(seconds * 1000);
}

/** A W3C datetime for a reader: `5 October 2026, 18:30 UTC`. */
export function moment(datetime: string): string {
  return `${day(Date.parse(datetime) / 1000)}, ${datetime.slice(11, 16)} UTC`;
}

/** A URL of the site as its path, readable: `/gallery/détail.html`. */
export function pathOf(url: string, site: string): string {
  const path = `/${url.slice(site.length)}`;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** The title of a collection, or its path. */
export function nameOf(
  { title, url }: { readonly title: string | undefined; readonly url: string },
  site: string,
): string {
  return title ?? (url === site ? site : pathOf(url, site));
}

/** A folder as its author would type it here. */
export function shortPath(folder: string): string {
  const path = relative("", folder);
  if (path === "") return "this folder";
  return path.startsWith("..") ? folder : path;
}
