import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import {
  NoAnswerError,
  type PresentDocument,
  type Site,
  type SiteAnswer,
  unpacked,
  unpackedBeginning,
} from "@rs-emit/check";
import { type ParsedDocument, readDocumentSync, SOURCE_DESCRIPTION } from "@rs-emit/documents";

/** In its first bytes a ResourceSync document names the namespace. */
const BEGINNING = 2048;
/** Hosts serve these at a folder's URL. */
const INDEX_FILES = ["index.html", "index.shtml"];
const RESOURCESYNC = "http://www.openarchives.org/rs/terms/";

/** A published folder as a site that answers to its URLs. */
export class PublishedFolder implements Site {
  readonly isLive = false;
  /** Ends with a slash. */
  readonly url: string;
  readonly #folder: string;

  /** @param folder shown before file names in findings */
  constructor(folder: string, url: string) {
    this.#folder = folder;
    this.url = url;
  }

  async get(url: string): Promise<SiteAnswer> {
    for (const file of this.#filesOf(url)) {
      const bytes = readIfFile(join(this.#folder, file), url);
      if (bytes !== undefined) return answer(200, [bytes], join(this.#folder, file));
    }
    return answer(404, []);
  }

  covers(url: string): boolean {
    return url.startsWith(this.url);
  }

  documents(): readonly PresentDocument[] {
    return documentFiles(this.#folder).map((file) => {
      const path = file.split(sep).join("/");
      return { url: urlIn(this.url, path), file: join(this.#folder, file) };
    });
  }

  /** The files that a host may serve for a URL, the most likely first. */
  #filesOf(url: string): readonly string[] {
    if (!this.covers(url)) return [];
    const path = decode(url.slice(this.url.length).replace(/[?#].*$/, ""));
    if (path === undefined || path.split("/").includes("..") || path.includes("\0")) return [];
    if (path === "" || path.endsWith("/")) return INDEX_FILES.map((index) => path + index);
    return [path, `${path}.html`, ...INDEX_FILES.map((index) => `${path}/${index}`)];
  }
}

/** @param path relative to the site */
export function urlIn(site: string, path: string): string {
  return site + path.split("/").map(encodeURIComponent).join("/");
}

/** @param likely decides where documents name several URLs, as damaged ones may */
export function siteUrlOf(folder: string, likely: string | undefined): string | undefined {
  const tops = documentFiles(folder).filter((file) => TOP.test(beginning(join(folder, file))));
  const stated = tops.flatMap((file) => {
    const { metadata, links = [], entries = [] } = read(join(folder, file)) ?? {};
    if (metadata?.capability === "description") return entries.map(({ loc }) => loc);
    const up = links.find(({ rel }) => rel === "up")?.href;
    return metadata?.capability === "capabilitylist" && up !== undefined ? [up] : [];
  });
  const base = likely?.replace(/\/?$/, "/");
  if (base !== undefined && stated.some((url) => url.startsWith(base))) return base;
  const up = stated.find((url) => url.endsWith(`/${SOURCE_DESCRIPTION}`));
  return up?.slice(0, -SOURCE_DESCRIPTION.length);
}

/** Documents that name the site. */
const TOP = /capability\s*=\s*["'](?:capabilitylist|description)["']/;

function documentFiles(folder: string): readonly string[] {
  return filesBelow(folder)
    .filter((path) => beginning(path).includes(RESOURCESYNC))
    .map((path) => relative(folder, path))
    .sort();
}

/** Files that may be documents. Links to folders are not followed: they may form a circle. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(path);
    return entry.isFile() && DOCUMENT.test(entry.name) ? [path] : [];
  });
}

const DOCUMENT = /\.xml(?:\.gz)?$|^resourcesync$/;

function beginning(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(BEGINNING);
    const read = bytes.subarray(0, readSync(file, bytes));
    const text = Buffer.from(unpackedBeginning(read)).toString("latin1", 0, BEGINNING);
    // UTF-16 has one after each character that matters here.
    return text.replaceAll("\0", "");
  } finally {
    closeSync(file);
  }
}

function read(path: string): ParsedDocument | undefined {
  try {
    return readDocumentSync(unpacked(readFileSync(path)));
  } catch {
    return undefined; // The check itself says what is wrong with it.
  }
}

/** One buffer for all pages: allocating one for each takes as long as reading. */
const buffer = Buffer.allocUnsafeSlow(1_000_000);

/** Valid until the next call; `undefined` if the file does not exist. */
function readIfFile(path: string, url: string): Uint8Array | undefined {
  // An error for each of many missing files takes ten times as long.
  if (!existsSync(path)) return undefined;
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    if (stats.size >= buffer.length) return readFileSync(file);
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return length === stats.size ? buffer.subarray(0, length) : readFileSync(path);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new NoAnswerError(url, `cannot be read (${reason})`, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function isAbsence(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function answer(status: number, body: readonly Uint8Array[], file?: string): SiteAnswer {
  return { status, redirects: [], header: () => undefined, body, file };
}
