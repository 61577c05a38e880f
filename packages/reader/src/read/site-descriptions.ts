import { createHash } from "node:crypto";
import { TextDecoder } from "node:util";
import { decodeText, markedEncoding } from "@rs-emit/documents";
import { languageTag, lineOf } from "@rs-emit/feeds";
import { siteFolder } from "../address.ts";
import { HarvestError } from "../errors.ts";
import { beginningOf } from "../http/body.ts";
import { isSilence, StatusError } from "../http/errors.ts";
import type { Transport } from "../http/transport.ts";
import type { Description } from "../model.ts";
import {
  ATOM,
  describeAtom,
  describeHtml,
  describeRdf,
  parseXml,
  type StatedDescription,
} from "./description-formats.ts";
import type { CollectionReading, Reading, RememberedDocument } from "./reading-result.ts";

export interface Descriptions {
  readonly source: Description | undefined;
  /** By collection key. */
  readonly collections: ReadonlyMap<string, Description>;
  readonly documents: readonly RememberedDocument[];
}

/** Stops when the host does not answer: descriptions can wait (IFCC-0001, `describedby`). */
export async function readDescriptions(
  transport: Transport,
  reading: Reading,
  remembered: ReadonlyMap<string, RememberedDocument>,
): Promise<Descriptions> {
  const { descriptionUrl } = reading;
  const reader = new DescriptionReader(transport, remembered);
  reader.isSilent = reading.interruption !== undefined;
  const anew = new Set(reading.documents.map(({ url }) => url));
  const read = (urls: readonly string[], about: string, from: string) =>
    // A document that is named for the first time has no known content.
    reader.read({ urls, about, isKnown: !anew.has(from) && !anew.has(descriptionUrl) });
  const source = await read(reading.describedBy, siteFolder(descriptionUrl), descriptionUrl);
  // Undescribed collections come first: the check's time may end before the others.
  const isRead = ({ describedBy }: CollectionReading) =>
    describedBy.some((one) => remembered.has(one));
  const inOrder = reading.collections.toSorted(
    (one, other) => Number(isRead(one)) - Number(isRead(other)),
  );
  const collections = new Map<string, Description>();
  for (const { key, url, capabilityListUrl, describedBy, problem } of inOrder) {
    const urls = problem === undefined ? describedBy : [];
    const description = await read(urls, url, capabilityListUrl);
    if (description !== undefined) collections.set(key, description);
  }
  return { source, collections, documents: [...reader.documents.values()] };
}

interface DescriptionRequest {
  /** Best first. */
  readonly urls: readonly string[];
  readonly about: string;
  /** The first document's remembered content is known. */
  readonly isKnown: boolean;
}

/** Bytes read: every description, and a page's head, are shorter. */
const MOST_BYTES = 1_000_000;

/** `undefined` for an unchanged document. */
type Delivery =
  | { readonly base: string; readonly bytes: Uint8Array; readonly document: RememberedDocument }
  | HarvestError
  | undefined;

/** Requests each description once: a site and its main collection often share one. */
export class DescriptionReader {
  /** Those that were read anew, by URL. */
  readonly documents = new Map<string, RememberedDocument>();
  /** The host does not answer: nothing more is requested. */
  isSilent = false;
  readonly #transport: Transport;
  readonly #remembered: ReadonlyMap<string, RememberedDocument>;
  readonly #deliveries = new Map<string, Delivery>();

  constructor(transport: Transport, remembered: ReadonlyMap<string, RememberedDocument>) {
    this.#transport = transport;
    this.#remembered = remembered;
  }

  /**
   * What the first document with content says; `undefined` if it is unchanged, or there is none. A failure
   * does not fail the check.
   */
  async read({ urls, about, isKnown }: DescriptionRequest): Promise<Description | undefined> {
    for (const [place, url] of urls.entries()) {
      if (this.isSilent) return undefined;
      // Only the first can be the known one: others were read because the first was empty.
      const delivery = await this.#get(url, isKnown && place === 0);
      if (delivery === undefined) return undefined;
      if (delivery instanceof HarvestError) {
        this.isSilent = isPassing(delivery);
        continue;
      }
      const { bytes, base, document } = delivery;
      const description = readable(() => understand(bytes, { about, base }));
      if (description === undefined) continue;
      this.documents.set(document.url, document);
      return description;
    }
    return undefined;
  }

  async #get(url: string, isKnown: boolean): Promise<Delivery> {
    const known = isKnown ? this.#remembered.get(url) : undefined;
    const key = `${known === undefined ? "whole" : "changed"} ${url}`;
    if (this.#deliveries.has(key)) return this.#deliveries.get(key);
    const delivery = await this.#ask(url, known);
    this.#deliveries.set(key, delivery);
    return delivery;
  }

  async #ask(url: string, known: RememberedDocument | undefined): Promise<Delivery> {
    try {
      const answer = await this.#transport.get(url, known?.validators);
      if (answer.status === "unchanged") return undefined;
      const bytes = await beginningOf(answer.body, MOST_BYTES);
      const hash = createHash("sha256").update(bytes).digest("hex");
      if (hash === known?.hash) return undefined;
      const { validators } = answer;
      const document = { url, validators, hash, summary: undefined, isClosed: false };
      return { base: answer.url, bytes, document };
    } catch (error) {
      if (!(error instanceof HarvestError)) throw error;
      return error;
    }
  }
}

function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof HarvestError) return undefined;
    throw error;
  }
}

/** Whether a later request may succeed. */
function isPassing(error: HarvestError): boolean {
  if (error instanceof StatusError) return error.status >= 500;
  return isSilence(error);
}

/** Lengths in UTF-16 code units. */
const LIMITS = { title: 300, author: 100, authors: 10, summary: 2_000, rights: 500 } as const;

interface DescribedPlace {
  readonly about: string;
  readonly base: string;
}

/**
 * What a document says of a collection or a site: Dublin Core in XML, else a page, else an Atom feed. `undefined`
 * without title, authors and summary. Throws {@link HarvestError} otherwise.
 */
export function understand(bytes: Uint8Array, described: DescribedPlace): Description | undefined {
  const statement = statementIn(decodeMarkup(bytes), described);
  return statement === undefined ? undefined : descriptionOf(statement);
}

function statementIn(text: string, { about, base }: DescribedPlace): StatedDescription | undefined {
  if (isPage(text)) return describeHtml(text);
  const root = parseXml(text, base);
  const isFeed = root.namespace === ATOM && root.name === "feed";
  return isFeed ? describeAtom(root) : describeRdf(root, about, base);
}

function descriptionOf(statement: StatedDescription): Description | undefined {
  const title = first(statement.titles, LIMITS.title);
  const summary = first(statement.summaries, LIMITS.summary);
  const authors = statement.authors.map((name) => lineOf(name, LIMITS.author)).filter(Boolean);
  if (title === undefined && summary === undefined && authors.length === 0) return undefined;
  return {
    title,
    authors: [...new Set(authors)].slice(0, LIMITS.authors),
    summary,
    language: statement.languages
      .map((tag) => languageTag(tag?.trim()))
      .find((tag) => tag !== undefined),
    rights: first(statement.rights, LIMITS.rights),
  };
}

function first(texts: readonly (string | undefined)[], most: number): string | undefined {
  return texts.map((text = "") => lineOf(text, most)).find((line) => line !== "");
}

const PAGE = /\s*<(?:!doctype\s+html|html|head|title|body)\b/iy;

const PREAMBLE = /\s*(?:<\?xml[^>]*\?>|<!--[\s\S]*?-->)/y;

/** Loops over pieces: one pattern for all would backtrack. */
function isPage(text: string): boolean {
  PREAMBLE.lastIndex = 0;
  let start = 0;
  while (PREAMBLE.test(text)) start = PREAMBLE.lastIndex;
  PAGE.lastIndex = start;
  return PAGE.test(text);
}

const DECLARED =
  /^[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]+)["']|<meta[^>]+\bcharset\s*=\s*["']?([\w.:-]+)/i;

/** The text of XML or HTML: by its byte order mark, else as it declares, else as UTF-8. */
export function decodeMarkup(bytes: Uint8Array): string {
  if (markedEncoding(bytes) !== undefined) return decodeText(bytes);
  const beginning = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
  const [, inXml, inHtml] = DECLARED.exec(beginning) ?? [];
  const decoder = decoderOf(inXml ?? inHtml ?? "utf-8");
  // Of whole texts, Node's windows-1252 (20 and 24) lacks the quotes and dashes.
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

function decoderOf(label: string): TextDecoder {
  try {
    // A declaration that can be read byte by byte is not UTF-16.
    return new TextDecoder(/^utf-?16/i.test(label) ? "utf-8" : label);
  } catch {
    return new TextDecoder();
  }
}
