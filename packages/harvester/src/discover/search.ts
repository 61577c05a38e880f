import type { Head } from "@rs-emit/documents";
import { HarvestError } from "../errors.ts";
import type { Transport } from "../http/answer.ts";
import {
  BusyError,
  FetchError,
  GoneError,
  MissingError,
  RedirectError,
  StatusError,
  UnreachableError,
} from "../http/errors.ts";
import { resolveUrl, siteHost } from "../read/place.ts";
import { documentIn, type PeekedDocument, peek } from "./peeked-document.ts";

/** Documents that one search asks for at most, whatever leads to them. */
const REQUESTS = 40;

/** Documents on the way up, from a part of a list to the index of Source Descriptions; cycles end here. */
const CLIMB = 6;

/** A search for the Source Description of one site. */
export class Search {
  /** The first failure that leaves open what may stand there. */
  failure: HarvestError | undefined;
  readonly #transport: Transport;
  readonly #host: string;
  readonly #peeked = new Map<string, PeekedDocument | undefined>();

  /** @param start the address that is searched: when its host does not answer, the search ends */
  constructor(transport: Transport, start: string) {
    this.#transport = transport;
    this.#host = siteHost(start);
  }

  /**
   * Looks at what stands at an address; `undefined` where nothing does, or nothing that could be had: the
   * latter is noted.
   *
   * @param isCertain whether something must stand there, so that a refusal (403) says nothing
   * @throws {UnreachableError} {@link BusyError} when the site's own host gives no answer
   */
  async look(url: string, isCertain: boolean): Promise<PeekedDocument | undefined> {
    if (this.#peeked.has(url)) return this.#peeked.get(url);
    if (this.#peeked.size >= REQUESTS) return undefined;
    const peeked = await this.#ask(url, isCertain);
    this.#peeked.set(url, peeked);
    return peeked;
  }

  /**
   * Follows a document upwards to the Source Description, by `up` and `index` (ResourceSync 1.1, section
   * 6.2), or to the index of several.
   *
   * @param isWellKnown whether nobody but the host itself can have put it there
   * @returns its address; that of the Capability List where there is nothing above it
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
    // What could not be had may have been the better answer.
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

/** Hosts answer so for folders that nobody may see, and for those that do not exist. */
function isRefusal(error: FetchError): boolean {
  return error instanceof RedirectError || (error instanceof StatusError && error.status < 500);
}

/**
 * The address to keep of a document. One that redirects to another host is that host's, unless it is
 * where only the host itself can redirect: nobody may speak for a site that redirects to anywhere.
 */
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
