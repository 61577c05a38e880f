import { DocumentError, type DocumentReader, type Head, openSitemap } from "@rs-emit/documents";
import { HarvestError } from "../errors.ts";
import type { FreshAnswer, Transport } from "../http/answer.ts";
import { beginningOf } from "../http/body.ts";
import {
  BusyError,
  FetchError,
  GoneError,
  MissingError,
  RedirectError,
  StatusError,
  UnreachableError,
} from "../http/errors.ts";
import { unreadable } from "../read/errors.ts";
import { resolveUrl, siteHost } from "../read/place.ts";

const REQUESTS = 40;

/** Documents from a list up to the index of Source Descriptions. Bounds cycles. */
const CLIMB = 6;

export class Search {
  /** The first failure after which something may still exist. */
  failure: HarvestError | undefined;
  readonly #transport: Transport;
  readonly #host: string;
  readonly #peeked = new Map<string, PeekedDocument | undefined>();

  /** @param start its host must answer, or the search ends */
  constructor(transport: Transport, start: string) {
    this.#transport = transport;
    this.#host = siteHost(start);
  }

  /**
   * Reads an address, if something is there, and notes a failure. Throws if the site's own host
   * does not answer.
   * @param isCertain something must be there, so a 403 is a failure
   */
  async look(url: string, isCertain: boolean): Promise<PeekedDocument | undefined> {
    if (this.#peeked.has(url)) return this.#peeked.get(url);
    if (this.#peeked.size >= REQUESTS) return undefined;
    const peeked = await this.#ask(url, isCertain);
    this.#peeked.set(url, peeked);
    return peeked;
  }

  /**
   * Follows `up` and `index` links (ResourceSync 1.1, section 6.2) to the topmost document.
   * @param isWellKnown only the host itself can have put it there
   */
  async climb(url: string, isWellKnown = false): Promise<string | undefined> {
    const before = this.failure;
    let best: string | undefined;
    let next: string | undefined = url;
    for (let step = 0; step < CLIMB && next !== undefined; step += 1) {
      const peeked: PeekedDocument | undefined = await this.look(next, !isWellKnown || step > 0);
      const document = peeked && (await this.#understand(peeked));
      if (peeked === undefined || document === undefined) break;
      const place = placeOf(peeked, isWellKnown && step === 0);
      if (document.kind === "source-description-index") return place;
      if (document.kind === "source-description") best = place;
      else if (document.kind === "capability-list") best ??= place;
      next = wayUp(document, peeked);
    }
    // The document that failed may have been the better answer.
    return this.failure === before ? best : undefined;
  }

  async #ask(url: string, isCertain: boolean): Promise<PeekedDocument | undefined> {
    try {
      const answer = await this.#transport.get(url);
      return answer.status === "fresh" ? await peek(url, answer) : undefined;
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      if (error instanceof MissingError || error instanceof GoneError) return undefined;
      const isSilence = error instanceof UnreachableError || error instanceof BusyError;
      if (isSilence && siteHost(url) === this.#host) throw error;
      if (isCertain || !isRefusal(error)) this.failure ??= error;
      return undefined;
    }
  }

  async #understand(peeked: PeekedDocument) {
    try {
      return await documentIn(peeked);
    } catch (error) {
      if (!(error instanceof HarvestError)) throw error;
      this.failure ??= error;
      return undefined;
    }
  }
}

/** Hosts answer like this for forbidden folders and for missing ones. */
function isRefusal(error: FetchError): boolean {
  return error instanceof RedirectError || (error instanceof StatusError && error.status < 500);
}

/** At a well-known URI only the host can redirect. Elsewhere anybody could speak for the site. */
function placeOf({ base, permanentUrl }: PeekedDocument, isWellKnown: boolean): string {
  return isWellKnown || siteHost(permanentUrl) === siteHost(base) ? permanentUrl : base;
}

function wayUp(
  { head, kind }: { readonly head: Head; readonly kind: string | undefined },
  { base }: PeekedDocument,
): string | undefined {
  const relations = kind === "source-description" ? ["index"] : ["up", "index"];
  for (const relation of relations) {
    const link = head.links.find(({ rel }) => rel.toLowerCase() === relation);
    if (link !== undefined) return resolveUrl(link.href, base);
  }
  return undefined;
}

export interface PeekedDocument {
  readonly url: string;
  /** After redirects. */
  readonly base: string;
  readonly permanentUrl: string;
  readonly link: string | undefined;
  readonly bytes: Uint8Array;
  readonly text: string;
}

const BEGINNING = 512_000;

const SITEMAP_ROOT = /<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s/>]/;

/** Reads the beginning of a response, and discards the rest. Throws {@link FetchError}. */
export async function peek(url: string, answer: FreshAnswer): Promise<PeekedDocument> {
  const bytes = await beginningOf(answer.body, BEGINNING);
  const { url: base, permanentUrl, link } = answer;
  return { url, base, permanentUrl, link, bytes, text: new TextDecoder().decode(bytes) };
}

/** The sitemap up to its first entry, if it is one. Throws {@link UnreadableError}. */
export async function documentIn(
  peeked: PeekedDocument,
): Promise<Pick<DocumentReader, "head" | "kind"> | undefined> {
  try {
    const reader = await openSitemap(peeked.bytes, { skipMissingLoc: true });
    await reader.close();
    return reader;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (!SITEMAP_ROOT.test(peeked.text.slice(0, 4096))) return undefined;
    throw unreadable(peeked.url, error);
  }
}
