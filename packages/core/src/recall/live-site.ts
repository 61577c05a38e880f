import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ownCacheFolder } from "@rs-emit/documents";
import { type Digest, digestBytes } from "../model/digest.ts";
import type { SiteLimits } from "../model/environment.ts";
import { type EmitError, isEmitError, writeError } from "../model/errors.ts";
import { urlOf } from "../model/url.ts";
import { askHost, type HostAnswer, isBusy, never, reasonOfSilence } from "./ask-host.ts";
import { type DocumentStore, FolderStore } from "./document-store.ts";
import {
  siteCatchAllError,
  siteMovedError,
  siteStatusError,
  siteUnreachableError,
} from "./errors.ts";

interface SiteStoreOptions {
  readonly site: string;
  /** The author says that nothing was published, so a missing answer is accepted. */
  readonly first: boolean;
  readonly cacheFolder: string | undefined;
  readonly limits?: Partial<SiteLimits> | undefined;
}

/** Copies a document of the live site to a folder when it is first requested. */
export class SiteStore implements DocumentStore {
  readonly folder: string;
  hostTime: number | undefined;
  /** Set when the site answers every address with a web page. */
  unclear: EmitError | undefined;
  readonly #options: SiteStoreOptions;
  readonly #limits: SiteLimits;
  readonly #copies: FolderStore;
  readonly #fetched = new Map<string, boolean>();
  #catchAll: Promise<boolean> | undefined;
  /** Once a document is found, a request without an answer is an error. */
  #isPublished = false;
  /** The author says that nothing was published and the host gave no answer: further requests are skipped. */
  #isGivenUp = false;

  constructor(options: SiteStoreOptions) {
    this.#options = options;
    this.#limits = { ...SITE_LIMITS, ...options.limits };
    this.folder = prepareFolder(options);
    this.#copies = new FolderStore(this.folder);
  }

  get place(): string {
    return this.#options.site;
  }

  async bytes(document: string): Promise<Uint8Array | undefined> {
    const exists = this.#fetched.get(document);
    if (exists !== undefined) return exists ? this.#copies.bytes(document) : undefined;
    const bytes = await this.#fetch(document);
    this.#fetched.set(document, bytes !== undefined);
    return bytes;
  }

  /** A file as readers get it, whatever it is; not copied. Many servers answer 403 for a folder without a page. */
  async page(path: string): Promise<Uint8Array | undefined> {
    const none = /(?:^|\/)$/.test(path) ? [...NONE, 403] : NONE;
    const { bytes } = await fetchDocument(this.#options.site + path, this.#limits, true, none);
    return bytes;
  }

  async chunks(document: string): Promise<Iterable<Uint8Array> | undefined> {
    const bytes = await this.bytes(document);
    return bytes === undefined ? undefined : [bytes];
  }

  async digest(document: string, expected?: string): Promise<Digest | undefined> {
    if (expected !== undefined) {
      const copy = await this.#copies.digest(document);
      if (copy?.hash === expected) return copy;
    }
    const bytes = await this.bytes(document);
    return bytes === undefined ? undefined : digestBytes(bytes);
  }

  async #fetch(document: string): Promise<Uint8Array | undefined> {
    const address = urlOf(this.#options.site, document, false);
    const mayBeNothing = this.#options.first && !this.#isPublished;
    try {
      const { bytes, hostTime } = await fetchDocument(address, this.#limits, !this.#isGivenUp);
      this.hostTime ??= hostTime;
      if (bytes === undefined) return undefined;
      if (!isSitemap(bytes) && (await this.#isCatchAll())) {
        if (!mayBeNothing) this.unclear ??= siteCatchAllError(address);
        return undefined;
      }
      this.#isPublished ||= isSitemap(bytes);
      this.#copy(document, bytes);
      return bytes;
    } catch (error) {
      const unknown = isEmitError(error, "SITE_STATUS", "SITE_UNREACHABLE");
      if (!mayBeNothing || !unknown) throw error;
      this.#isGivenUp = true;
      return undefined;
    }
  }

  #isCatchAll(): Promise<boolean> {
    const nowhere = `${this.#options.site}${randomUUID()}.xml`;
    this.#catchAll ??= fetchDocument(nowhere, this.#limits).then(
      ({ bytes }) => bytes !== undefined && !isSitemap(bytes),
    );
    return this.#catchAll;
  }

  #copy(document: string, bytes: Uint8Array): void {
    const path = join(this.folder, document);
    const temporary = `${path}.${randomUUID()}`;
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(temporary, bytes);
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error instanceof Error ? writeError(path, error, false) : error;
    }
  }
}

/** Checks how the bytes begin, since hosts answer a missing address with a page or plain text. */
function isSitemap(bytes: Uint8Array): boolean {
  const beginning = new TextDecoder("latin1").decode(bytes.subarray(0, 512));
  return /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!--|(?:\w+:)?(?:urlset|sitemapindex)\b)/.test(beginning);
}

/** One folder per site; a temporary one where the cache cannot be written. */
function prepareFolder({ site, cacheFolder }: SiteStoreOptions): string {
  const name = createHash("sha256").update(site).digest("hex").slice(0, 16);
  const folder = join(cacheFolder ?? ownCacheFolder("rs-emit", "sites") ?? ofThisProcess(), name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

let temporary: string | undefined;

/** Others cannot guess its name. */
function ofThisProcess(): string {
  if (temporary !== undefined) return temporary;
  const folder = mkdtempSync(join(tmpdir(), "rs-emit-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  temporary = folder;
  return folder;
}

export const SITE_LIMITS: SiteLimits = { milliseconds: 60_000, bytes: 64_000_000, redirects: 5 };

/** The statuses that say that nothing is there. */
const NONE: readonly number[] = [404, 410];

interface SiteAnswer {
  readonly bytes: Uint8Array | undefined;
  readonly hostTime: number | undefined;
}

/** Bypasses caches, and limits time and size. Repeats the request to a busy host unless `again` is false. */
async function fetchDocument(
  address: string,
  limits: SiteLimits,
  again = true,
  none = NONE,
): Promise<SiteAnswer> {
  try {
    const { status, headers, body } = await follow(address, limits, again);
    const date = Date.parse(headers.get("date") ?? "");
    // A cache sends the stored answer's date, and its age in seconds.
    const age = Number(headers.get("age") ?? 0) || 0;
    const hostTime = Number.isNaN(date) ? undefined : Math.floor(date / 1000) + age;
    if (none.includes(status)) return { bytes: undefined, hostTime };
    if (status !== 200) throw siteStatusError(address, status);
    return { bytes: body, hostTime };
  } catch (error) {
    if (isEmitError(error, "SITE_UNREACHABLE", "SITE_STATUS")) throw error;
    throw siteUnreachableError(address, failure(error, limits), undefined, error);
  }
}

/** Follows redirects on the same host. */
async function follow(
  address: string,
  { redirects: most, ...bounds }: SiteLimits,
  again: boolean,
): Promise<HostAnswer> {
  let url = new URL(address);
  for (let redirects = 0; redirects <= most; redirects++) {
    const pastCaches = randomUUID();
    const answer = await askHost(url, {
      ...bounds,
      pastCaches,
      redirect: "manual",
      again: again ? isBusy : never,
    });
    const next = redirectOf(answer, url);
    if (next === undefined) return answer;
    if (next.hostname !== url.hostname) throw siteMovedError(address, next.origin);
    url = next;
  }
  throw siteUnreachableError(address, "redirects in a circle");
}

function redirectOf({ status, headers }: HostAnswer, url: URL): URL | undefined {
  const location = headers.get("location");
  if (status < 300 || status > 399 || location === null) return undefined;
  const next = new URL(location, url);
  next.searchParams.delete("rs-emit");
  return next;
}

/** Whether the site's name does not exist. Without a network every name may seem so. */
export function isUnknownHost(error: unknown): boolean {
  if (!isEmitError(error, "SITE_UNREACHABLE") || !(error.cause instanceof Error)) return false;
  const { cause } = error.cause;
  return cause instanceof Error && "code" in cause && cause.code === "ENOTFOUND";
}

function failure(error: unknown, limits: SiteLimits): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `did not answer within ${limits.milliseconds / 1000} s`;
  if (error instanceof RangeError) return error.message;
  const cause = reasonOfSilence(error);
  if (/ssl|tls|certificate/i.test(cause)) return "offers no secure connection that can be trusted";
  if (/ENOTFOUND|EAI_AGAIN/.test(cause)) {
    return `was not found (${cause}): this machine is offline, or there is no such site yet`;
  }
  return `could not be fetched (${cause})`;
}
