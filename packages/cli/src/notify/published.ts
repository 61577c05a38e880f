import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublishedChanges } from "@rs-emit/core";
import { CAPABILITY_LIST } from "@rs-emit/core/words";
import { DocumentError, readDocumentSync } from "@rs-emit/documents";
import { asReadingError, CommandError, EXIT } from "../errors.ts";

export interface PublishedCollection {
  /** The collection's own URL. */
  readonly url: string;
  readonly capabilityList: string;
  /** The URL of its notifications; absent if no hub was published. */
  readonly topic: string | undefined;
  readonly feed: string | undefined;
  /** The Change List Index, rewritten by each publication. */
  readonly index: string;
  /** What followers are sent to, as the folder has it: the index first. */
  readonly documents: readonly NamedDocument[];
}

export interface NamedDocument {
  readonly url: string;
  readonly bytes: Uint8Array;
}

/** What a folder has published. */
export interface Published {
  readonly log: PublishedChanges;
  readonly collections: readonly PublishedCollection[];
}

/**
 * Reads the collections that a folder has published.
 * @param site ends with a slash
 * @throws {CommandError} if nothing was published there, or for another site
 */
export async function readPublished(
  folder: string,
  site: string,
  feedFile: string | undefined,
): Promise<Published> {
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
    throw error instanceof DocumentError ? damaged(folder, error) : error;
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
  const { entries } = readDocumentSync(readFileSync(fileOf(capabilityList)));
  const locOf = (capability: string) =>
    entries.find(({ metadata }) => metadata?.capability === capability)?.loc;
  const index = locOf("changelist");
  if (index === undefined) return undefined;
  const topic = locOf("change-notification");
  const feed = feedFile === undefined ? undefined : url + feedFile;
  const own = [index, ...newestListsIn(fileOf(index)), capabilityList, topic, feed];
  const documents = own.flatMap((address) => {
    if (address === undefined || !existsSync(fileOf(address))) return [];
    return { url: address, bytes: readFileSync(fileOf(address)) };
  });
  const isThere = feed !== undefined && existsSync(fileOf(feed));
  return { url, capabilityList, topic, feed: isThere ? feed : undefined, index, documents };
}

/** The list that is open: closed ones are never written again. */
function newestListsIn(index: string): readonly string[] {
  const { entries } = readDocumentSync(readFileSync(index));
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

function damaged(folder: string, error: DocumentError): CommandError {
  return new CommandError({
    code: "DAMAGED_DOCUMENT",
    problem: `A document in ${folder} cannot be read: ${error.message}`,
    cure: `Nobody was notified. npx rs-emit check ${folder} says which, and what to do.`,
    exitCode: EXIT.failed,
    cause: error,
  });
}
