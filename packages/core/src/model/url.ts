/** Characters of a URL's path: RFC 3986, section 3.3 (design, "Documents"). */
import { urlKey } from "@rs-emit/documents";

const PLAIN_PATH = /^[\w\-.~!$&'()*+,;=:@/]*$/;
const NOT_PCHAR = /[^\w\-.~!$&'()*+,;=:@/]+/g;

/** Hosts serve these at a folder's URL. Servers with includes have the second. */
export const INDEX_FILES = ["index.html", "index.shtml"] as const;

/** An index file becomes its folder's URL; `site` ends with a slash. */
export function urlOf(site: string, file: string, cleanUrls: boolean): string {
  return site + encodePath(servedPath(file, cleanUrls));
}

/** With and without `.html`, with and without a final slash. */
export function alternateUrls(site: string, file: string): readonly string[] {
  const urls = [urlOf(site, file, false), urlOf(site, file, true)];
  return [...new Set(urls.flatMap((url) => [url, withoutSlash(site, url)]))];
}

export function slashVariants(site: string, url: string): readonly string[] {
  const bare = withoutSlash(site, url);
  return [bare, url === site ? url : `${bare}/`];
}

/** The files that hosts may serve for a path below the site. */
export function servedFiles(path: string): readonly string[] {
  return path === "" || path.endsWith("/")
    ? INDEX_FILES.map((index) => path + index)
    : [path, `${path}.html`, ...INDEX_FILES.map((index) => `${path}/${index}`)];
}

/** Some hosts serve a folder without its slash; the site's own URL keeps the slash. */
export function withoutSlash(site: string, url: string): string {
  return url === site ? url : url.replace(/\/$/, "");
}

export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Escapes characters that a path may not contain; existing escapes stay. */
export function normalizePath(path: string): string {
  return path.replace(/[^\w\-.~!$&'()*+,;=:@/%]+/g, percentEncoded);
}

/** File systems, git and builders change the Unicode form of a name. All forms have one key. */
export function composedKey(url: string): string {
  return urlKey(url).normalize("NFC");
}

/** Whether a URL is below the collection's URL, or equals it without the final slash. */
export function isBelow(url: string, collection: string): boolean {
  return `${composedKey(url)}/`.startsWith(composedKey(collection));
}

function servedPath(file: string, cleanUrls: boolean): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  if (INDEX_FILES.some((index) => index === name)) return file.slice(0, -name.length);
  return cleanUrls && file.endsWith(".html") ? file.slice(0, -".html".length) : file;
}

function encodePath(path: string): string {
  return PLAIN_PATH.test(path) ? path : path.replace(NOT_PCHAR, percentEncoded);
}

function percentEncoded(text: string): string {
  return Buffer.from(text).toString("hex").toUpperCase().replace(/../g, "%$&");
}

export function relativeLink(here: URL, there: URL): string {
  if (here.origin !== there.origin) return there.href;
  const folders = here.pathname.split("/").slice(0, -1);
  const path = there.pathname.split("/");
  let common = 0;
  while (common < folders.length && common < path.length - 1 && folders[common] === path[common]) {
    common += 1;
  }
  const up = "../".repeat(folders.length - common);
  const down = path.slice(common).join("/");
  const relative = up + down + there.search;
  // A first segment with a colon would look like a scheme, an empty one like a host.
  return relative === "" || /^(?:\/|[^/]*:|\?)/.test(relative) ? `./${relative}` : relative;
}
