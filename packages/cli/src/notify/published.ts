import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PublishedChanges } from "@rs-emit/core";
import { CAPABILITY_LIST } from "@rs-emit/core/words";
import { DocumentError, readDocumentSync } from "@rs-emit/documents";
import { isFile } from "../config.ts";
import { asReadingError, CommandError, EXIT } from "../errors.ts";

export interface PublishedCollection {
  readonly url: string;
  readonly capabilityList: string;
  /** The URL of its notifications; absent if no hub was published. */
  readonly topic: string | undefined;
  readonly feed: string | undefined;
  /** The Change List Index, rewritten by each publication. */
  readonly index: string;
  /** The documents in the notification, from the folder: the index first. */
  readonly documents: readonly NamedDocument[];
}

export interface NamedDocument {
  readonly url: string;
  readonly bytes: Uint8Array;
}

export interface PublishedPlace {
  readonly log: PublishedChanges;
  readonly collections: readonly PublishedCollection[];
}

/**
 * @param site ends with a slash
 * @throws {CommandError} if nothing was published there, or for another site
 */
export async function readPublished(
  folder: string,
  site: string,
  feedFile: string | undefined,
): Promise<PublishedPlace> {
  const { EmitError, openPublished } = await import("@rs-emit/core");
  try {
    const log = await openPublished(folder);
    if (log.site !== site) throw otherSite(folder, log.site, site);
    const collections = log.collections.flatMap(
      (url) => collectionAt(folder, site, url, feedFile) ?? [],
    );
    return { log, collections };
  } catch (error) {
    if (error instanceof EmitError) throw asReadingError(error);
    throw error instanceof DocumentError ? damaged(folder, error.message, error) : error;
  }
}

function collectionAt(
  folder: string,
  site: string,
  url: string,
  feedFile: string | undefined,
): PublishedCollection | undefined {
  const fileOf = (address: string) => join(folder, decodeURIComponent(address.slice(site.length)));
  const capabilityList = url + CAPABILITY_LIST;
  const { entries } = readDocumentSync(readNamed(fileOf(capabilityList)));
  const locOf = (capability: string) =>
    entries.find(({ metadata }) => metadata?.capability === capability)?.loc;
  const index = locOf("changelist");
  if (index === undefined) return undefined;
  const topic = locOf("change-notification");
  const feed = feedFile === undefined ? undefined : url + feedFile;
  const own = [index, ...newestListsIn(fileOf(index)), capabilityList, topic ?? []].flat();
  const documents = own.map((address) => ({ url: address, bytes: readNamed(fileOf(address)) }));
  // A folder may be published without its feed, and a hub fetches the topic.
  if (topic !== undefined) readDocumentSync(readNamed(fileOf(topic)));
  const isThere = feed !== undefined && isFile(fileOf(feed));
  if (isThere) documents.push({ url: feed, bytes: readNamed(fileOf(feed)) });
  return { url, capabilityList, topic, feed: isThere ? feed : undefined, index, documents };
}

/** @throws {CommandError} for a missing or empty file, or a folder */
function readNamed(file: string): Uint8Array {
  const bytes = isFile(file) ? readFileSync(file) : undefined;
  if (bytes !== undefined && bytes.length > 0) return bytes;
  throw damaged(dirname(file), `${file} is ${bytes === undefined ? "not there" : "empty"}.`);
}

/** The open list: closed ones are never written again. */
function newestListsIn(index: string): readonly string[] {
  const { entries } = readDocumentSync(readNamed(index));
  return entries.flatMap(({ loc, metadata }) => (metadata?.until === undefined ? loc : []));
}

function otherSite(folder: string, published: string, site: string): CommandError {
  return new CommandError({
    code: "OTHER_SITE",
    option: "url",
    problem: `${folder} was published for ${published}, not for ${site}. Nobody was notified.`,
    cure: `Give that address with --url ${published}, or publish for the new one first.`,
    exitCode: EXIT.failed,
  });
}

function damaged(folder: string, why: string, cause?: DocumentError): CommandError {
  return new CommandError({
    code: "DAMAGED_DOCUMENT",
    problem: `A document in ${folder} cannot be read: ${why}`,
    cure: `Nobody was notified. npx rs-emit check ${folder} says which, and what to do.`,
    exitCode: EXIT.failed,
    cause,
  });
}
