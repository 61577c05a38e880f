import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  EmitError,
  type LastPublication,
  type Notified,
  openPublished,
  type PublishedChanges,
  type ToldInterval,
  textToInterval,
  untold,
} from "@rs-emit/core";
import { DocumentError, readDocumentSync } from "@rs-emit/documents";
import { isFile } from "../config.ts";
import { asReadingError, CommandError, EXIT } from "../errors.ts";

export interface PublishedCollection extends LastPublication {
  readonly url: string;
  readonly feed: string | undefined;
  /** Whether the folder has a document for its topic: the first changes make one. */
  readonly hasContent: boolean;
  /** What a publication rewrites, from the folder: the index first. */
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
  try {
    const log = await openPublished(folder);
    if (log.site !== site) throw otherSite(folder, log.site, site);
    const collections = log.collections.map((url) => collectionAt(folder, log, url, feedFile));
    return { log, collections: await Promise.all(collections) };
  } catch (error) {
    if (error instanceof EmitError) throw asReadingError(error);
    throw error instanceof DocumentError ? damaged(folder, error.message, error) : error;
  }
}

async function collectionAt(
  folder: string,
  log: PublishedChanges,
  url: string,
  feedFile: string | undefined,
): Promise<PublishedCollection> {
  const fileOf = (address: string) =>
    join(folder, decodeURIComponent(address.slice(log.site.length)));
  const last = await log.lastOf(url);
  const { index, openLists, capabilityList, topic } = last;
  // Before the first changes the topic has no content, and a folder may be published without its feed.
  const views = [topic, feedFile === undefined ? undefined : url + feedFile];
  const [content, feed] = views.map((one) => (one && isFile(fileOf(one)) ? one : undefined));
  const named = [index, ...openLists, capabilityList, content ?? [], feed ?? []].flat();
  const documents = named.map((address) => ({ url: address, bytes: readNamed(fileOf(address)) }));
  const topicBytes = documents.find((one) => one.url === content)?.bytes;
  if (topicBytes !== undefined) readDocumentSync(topicBytes);
  return { ...last, url, feed, hasContent: content !== undefined, documents };
}

export interface UntoldChanges {
  readonly collection: PublishedCollection;
  readonly interval: ToldInterval;
}

/**
 * What nobody was told of each collection; where nobody knows, the last publication.
 * @param since UTC seconds: all changes after it, whatever was told
 */
export function untoldChanges(
  collections: readonly PublishedCollection[],
  told: Notified["hub"],
  since: number | undefined,
): readonly UntoldChanges[] {
  const live = Math.max(...collections.map(({ time }) => time));
  return collections.map((collection) => {
    const { url, time, previous } = collection;
    const unknown = { from: (time === live ? previous : undefined) ?? time, until: time };
    const known = textToInterval(told[url]);
    const untoldNow = known === undefined ? unknown : untold(known, { time, previous });
    return { collection, interval: since === undefined ? untoldNow : { from: since, until: time } };
  });
}

/** @throws {CommandError} for a missing or empty file, or a folder */
function readNamed(file: string): Uint8Array {
  const bytes = isFile(file) ? readFileSync(file) : undefined;
  if (bytes !== undefined && bytes.length > 0) return bytes;
  throw damaged(dirname(file), `${file} is ${bytes === undefined ? "not there" : "empty"}.`);
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

/** A hub would fetch nothing. */
export function missingContent(folder: string, topic: string): CommandError {
  return damaged(folder, `${topic} is not there.`);
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
