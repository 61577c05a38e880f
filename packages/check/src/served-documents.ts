import { hash } from "node:crypto";
import {
  DocumentError,
  type DocumentKind,
  type DocumentLines,
  decodeText,
  EMIT,
  type Entry,
  foreignValue,
  isNoLogMarker,
  kindOf,
  markedEncoding,
  type ParsedDocument,
  readLocated,
  urlKey,
} from "@rs-emit/documents";
import { type CheckFindings, type FindingPlace, lineOf } from "./findings.ts";
import { referencesIn } from "./rules/references.ts";
import { NoAnswerError, type Site, type SiteAnswer, unpacked } from "./site.ts";

export interface ServedDocument {
  readonly url: string;
  readonly file: string | undefined;
  readonly kind: DocumentKind | undefined;
  readonly document: ParsedDocument;
  readonly lines: DocumentLines;
  readonly sha256: string;
  /** Without a byte order mark and with plain line ends; absent where that makes no difference. */
  readonly plainSha256: string | undefined;
  readonly length: number;
  readonly answer: SiteAnswer;
}

/** The documents of a publication, by URL, in the order in which they were found. */
export type ServedPublication = ReadonlyMap<string, ServedDocument>;

/** Entries in memory, over all documents. */
const MOST_ENTRIES = 3_000_000;

interface DocumentReference {
  readonly href: string;
  readonly place: FindingPlace;
  readonly role: Role;
}

/**
 * A document is read; a description must only exist; a channel may have no document before its first
 * notification, and a hub may keep it (Change Notification 1.0.1, section 4.1); the list of another site on
 * the host is published from another folder.
 */
type Role = "document" | "description" | "channel" | "other-site";

/** Reads a publication from its top, following every link to a document. */
export class PublicationReader {
  readonly documents = new Map<string, ServedDocument>();
  readonly #site: Site;
  readonly #findings: CheckFindings;
  readonly #asked = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #mostEntries: number;
  #entries = 0;

  constructor(site: Site, findings: CheckFindings, mostEntries = MOST_ENTRIES) {
    this.#mostEntries = mostEntries;
    this.#site = site;
    this.#findings = findings;
  }

  /** Whether every named document could be read. */
  get isWhole(): boolean {
    return this.#missing.size === 0;
  }

  /**
   * Reads a document and everything it links to.
   * @returns "absent" where the host does not have it, "refused" where it forbids it; "silent" where it does
   * not answer, "failed" where the document cannot be read: both are findings
   */
  async begin(url: string): Promise<"read" | "absent" | "refused" | "silent" | "failed"> {
    if (this.documents.has(url)) return "read";
    const place = { document: url };
    const answer = await this.#ask(url, place);
    if (answer === undefined) return "silent";
    if (isAbsent(answer)) return "absent";
    if (answer.status === 403) return "refused";
    this.#asked.add(urlKey(url));
    const first = await this.#read(url, answer, place);
    if (first === undefined) return "failed";
    await this.#follow(first);
    return "read";
  }

  /** Whether all other documents can be found from a document that was read. */
  leadsDown(url: string): boolean {
    const kind = this.documents.get(url)?.kind;
    return kind === "capability-list" || kind?.startsWith("source-description") === true;
  }

  /** The Source Description that the Capability Lists name, if it is one. */
  get namedDescription(): string | undefined {
    const named = [...this.documents.values()].flatMap(({ kind, url, document }) => {
      const up = document.links.find(({ rel }) => rel === "up")?.href;
      return kind === "capability-list" && up !== undefined ? (URL.parse(up, url)?.href ?? []) : [];
    });
    return new Set(named).size === 1 ? named[0] : undefined;
  }

  /** Of two addresses of one Source Description, keeps the one that the documents name. */
  preferNamed(description: string): string {
    const named = this.namedDescription;
    if (named === undefined || named === description) return description;
    const isSame = this.documents.get(named)?.sha256 === this.documents.get(description)?.sha256;
    if (isSame) this.documents.delete(description);
    return isSame ? named : description;
  }

  /** Records that an address is missing, so that links to it are not reported again. */
  knowMissing(url: string): void {
    this.#asked.add(urlKey(url));
  }

  async #follow(first: ServedDocument): Promise<void> {
    const queue = [...referencesOf(first)];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { href, place, role } = next;
      if (this.#asked.has(urlKey(href))) continue;
      this.#asked.add(urlKey(href));
      if (this.#entries > this.#mostEntries) {
        this.#tooMuch(place);
        return;
      }
      const answer = await this.#ask(href, place);
      if (answer === undefined) continue;
      if (isAbsent(answer)) {
        if (this.#site.isLive || this.#isOfFolder(next)) this.#absent(next, answer);
      } else if (role === "description") await bytesOf(answer);
      else {
        const read = await this.#read(href, answer, place, role === "channel");
        if (read !== undefined) queue.push(...referencesOf(read));
      }
    }
  }

  async #ask(url: string, place: FindingPlace): Promise<SiteAnswer | undefined> {
    try {
      return await this.#site.get(url);
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      const cure = "Check the address and the host, then check again.";
      this.#findings.add("no-answer", place, `${url} ${error.reason}.`, cure);
      this.#missing.add(urlKey(url));
      return undefined;
    }
  }

  async #read(
    url: string,
    answer: SiteAnswer,
    referrer: FindingPlace,
    mayBeEmpty = false,
  ): Promise<ServedDocument | undefined> {
    if (answer.status !== 200) {
      reportStatus(this.#findings, referrer, url, answer);
      this.#missing.add(urlKey(url));
      return undefined;
    }
    const { file } = answer;
    try {
      const bytes = await bytesOf(answer);
      if (isNoLogMarker(bytes)) return this.#builtWithout(url, file);
      if (mayBeEmpty && bytes.length === 0) return undefined;
      const plain = unpacked(bytes);
      const { document, lines } = readLocated(plain);
      if (saysOtherEncoding(plain)) this.#recoded(url, file);
      const kind = kindOf(document.root, document.metadata.capability);
      const sha256 = hash("sha256", bytes, "hex");
      const { length } = bytes;
      const plainSha256 = plainDigest(bytes);
      const read = { url, file, kind, document, lines, sha256, plainSha256, length, answer };
      this.documents.set(url, read);
      this.#entries += document.entries.length;
      return read;
    } catch (error) {
      this.#unread(url, file, error);
      return undefined;
    }
  }

  #recoded(url: string, file: string | undefined): void {
    const what = "Its bytes are UTF-16, and it says another encoding: strict programs refuse it.";
    const cure = "Publish again, and save it in no other program.";
    this.#findings.add("unreadable", { document: url, file }, what, cure);
  }

  #builtWithout(url: string, file: string | undefined): undefined {
    this.#missing.add(urlKey(url));
    const what = "rs-emit wrote this marker: the build went on without the change log.";
    const cure = this.#site.isLive
      ? "Deploy the last publication that had its log again, or publish with a copy of its folder (previous)."
      : "Do not deploy this. Build again when the live site answers.";
    this.#findings.add("no-log", { document: url, file }, what, cure);
  }

  #unread(url: string, file: string | undefined, error: unknown): void {
    this.#missing.add(urlKey(url));
    const place = { document: url, file };
    if (error instanceof NoAnswerError) {
      this.#findings.add("no-answer", place, error.message, "Check again later.");
    } else if (error instanceof DocumentError) {
      const cure = "Let rs-emit write it again, or correct it there.";
      const found = { ...place, line: error.at?.line };
      if (error.code === "MISSING_LOC") this.#findings.addBroken("loc", found, error.message, cure);
      else this.#findings.add("unreadable", found, error.message, cure);
    } else throw error;
  }

  /** Whether it should be in the checked folder. */
  #isOfFolder({ href, role }: DocumentReference): boolean {
    if (role === "description") return this.#site.covers?.(href) ?? true;
    return role === "document";
  }

  #absent({ href: url, place, role }: DocumentReference, { status }: SiteAnswer): void {
    this.#missing.add(urlKey(url));
    const found = this.#site.isLive ? `${url} answers ${status}.` : `There is no file for ${url}.`;
    const cure =
      role === "other-site"
        ? "Publish that site, or take its list out of this document (alsoLists)."
        : this.#site.isLive
          ? "Upload the whole folder, with files of every name. If it is not in the folder, publish again."
          : "Publish again; if the file was deleted by hand, restore it.";
    this.#findings.addBroken("target-missing", place, found, cure);
  }

  #tooMuch(place: FindingPlace): void {
    const what = `More than ${MOST_ENTRIES / 1e6} million entries are named. The rest was not read.`;
    this.#findings.add("too-much", place, what, "Check its collections one by one.");
    this.#missing.add("");
  }
}

/** Our own reader believes the byte order mark; XML 1.0, section 4.3.3, does not allow another word. */
function saysOtherEncoding(bytes: Uint8Array): boolean {
  if (!markedEncoding(bytes)?.startsWith("utf-16")) return false;
  return /^\s*<\?xml[^>]*\sencoding\s*=\s*["'](?!utf-?16)/i.test(
    decodeText(bytes.subarray(0, 512)),
  );
}

export async function bytesOf({ body }: Pick<SiteAnswer, "body">): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks.length === 1 ? (chunks[0] ?? new Uint8Array()) : Buffer.concat(chunks);
}

/** Undoes changes that known tools make to text. */
function plainDigest(bytes: Uint8Array): string | undefined {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hasMark = given.subarray(0, 3).equals(BYTE_ORDER_MARK);
  if (!hasMark && !given.includes("\r\n")) return undefined;
  const plain = given.toString("latin1", hasMark ? 3 : 0).replaceAll("\r\n", "\n");
  return hash("sha256", Buffer.from(plain, "latin1"), "hex");
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** The digest of bytes by an algorithm of `rs:md`, in hex; `undefined` for an unknown algorithm. */
export function digestOf(bytes: Uint8Array, algorithm: string): string | undefined {
  const name = ALGORITHMS.get(algorithm.toLowerCase());
  return name === undefined ? undefined : hash(name, bytes, "hex");
}

const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ["md5", "md5"],
  ["sha-1", "sha1"],
  ["sha-256", "sha256"],
  ["sha-384", "sha384"],
  ["sha-512", "sha512"],
]);

export function placeIn(
  { url, file, lines, document }: ServedDocument,
  where: string,
): FindingPlace {
  if (where === "document") return { document: url, file };
  const [, line, place] = /^line (\d+), (.*)$/s.exec(where) ?? [];
  if (line !== undefined) return { document: url, file, where: place, line: Number(line) };
  return { document: url, file, where, line: lineOf(where, lines, document.links) };
}

export function isAbsent({ status }: SiteAnswer): boolean {
  return status === 404 || status === 410;
}

/** Reports that a host does not serve what may be there. */
export function reportStatus(
  findings: CheckFindings,
  place: FindingPlace,
  url: string,
  { status }: Pick<SiteAnswer, "status">,
  cure = statusCure(status),
): void {
  findings.add("status", place, `${url} answers ${status}.`, cure);
}

function statusCure(status: number): string {
  if (status === 401 || status === 403) return "Let the host serve it to everybody.";
  if (status === 429)
    return "The host wants fewer requests. Check again later, with fewer samples.";
  if (status >= 500) return "Check again later. If it stays so, find out at the host why it fails.";
  return "Find out at the host what keeps it from being served.";
}

function* referencesOf(served: ServedDocument): Iterable<DocumentReference> {
  const { document, kind } = served;
  const isSource = kind === "source-description";
  const isOurs = ({ metadata }: Entry) => foreignValue(metadata, EMIT, "since") !== undefined;
  const hasOwn = isSource && document.entries.some(isOurs);
  for (const { href, where, needed, entry } of referencesIn(kind, document)) {
    const isOther = hasOwn && entry !== undefined && !isOurs(entry);
    const role = entry !== undefined && !needed ? "channel" : "document";
    yield* reference(served, href, where, isOther ? "other-site" : role);
  }
  const described = document.entries.map(
    ({ links = [] }, at) => [`entry ${at + 1}, `, links] as const,
  );
  for (const [at, links] of [["", document.links] as const, ...(isSource ? described : [])]) {
    for (const { rel, href } of links) {
      if (rel === "describedby")
        yield* reference(served, href, `${at}rs:ln rel=${rel}`, "description");
    }
  }
}

function* reference(
  served: ServedDocument,
  href: string,
  where: string,
  role: Role,
): Iterable<DocumentReference> {
  if (!URL.canParse(href, served.url)) return;
  const url = new URL(href, served.url);
  url.hash = "";
  if (url.protocol !== "http:" && url.protocol !== "https:") return;
  yield { href: url.href, place: placeIn(served, where), role };
}
