import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatDatetime, secondsOf } from "@rs-emit/documents";
import * as v from "valibot";
import { writeError } from "../model/errors.ts";
import { DISK, type FileSystem } from "../model/file-system.ts";
import { TEMPORARY } from "../model/layout.ts";
import type { CollectionWork, Plan } from "../model/plan.ts";
import { requireRoom } from "./existing-files.ts";

/** Beside the documents. The log does not depend on it, and no host needs it. */
export const NOTIFIED = ".rs-emit-notified.json";

/** By URL: the interval of a collection that was told last, or the digest of a feed. */
const toldSchema = v.record(v.string(), v.string());
const notifiedSchema = v.object({ hub: toldSchema, indexNow: toldSchema });

/** What `notify` told whom: several publications may be deployed at once, and some never. */
export interface Notified {
  readonly hub: Readonly<Record<string, string>>;
  readonly indexNow: Readonly<Record<string, string>>;
}

const NOTHING_KNOWN: Notified = { hub: {}, indexNow: {} };

/** The changes after `from`, up to `until`. UTC seconds. */
export interface ToldInterval {
  readonly from: number;
  readonly until: number;
}

/** A file that is missing or damaged says nothing. */
export function readNotified(folder: string): Notified {
  try {
    return v.parse(notifiedSchema, JSON.parse(readFileSync(join(folder, NOTIFIED), "utf8")));
  } catch {
    return NOTHING_KNOWN;
  }
}

/**
 * Adds to what the folder knows.
 * @throws {EmitError} `DISK_FULL` `LINK_OUT` `READ_ONLY` `WRITE_FAILED`
 */
export function keepNotified(folder: string, added: Notified, files: FileSystem = DISK): void {
  const known = readNotified(folder);
  const hub = { ...known.hub, ...added.hub };
  const indexNow = { ...known.indexNow, ...added.indexNow };
  const [before, after] = [known, { hub, indexNow }].map((one) => JSON.stringify(one, null, 2));
  if (after === undefined || after === before) return;
  const file = join(folder, NOTIFIED);
  requireRoom(folder, NOTIFIED);
  try {
    files.write(file + TEMPORARY, Buffer.from(`${after}\n`));
    files.rename(file + TEMPORARY, file);
  } catch (error) {
    throw error instanceof Error ? writeError(file, error, false) : error;
  }
}

export function intervalToText({ from, until }: ToldInterval): string {
  return `${formatDatetime(from)}/${formatDatetime(until)}`;
}

export function textToInterval(text = ""): ToldInterval | undefined {
  const [from, until] = text.split("/").map((time) => secondsOf(time));
  return from === undefined || until === undefined ? undefined : { from, until };
}

/**
 * What was told of each collection before this publication; where nobody knows, all that was published. So it
 * is for a run that continues the live site: what was live was told.
 */
export function toldBefore({ collections, published }: Plan): Notified {
  const { hub, indexNow } = published ? readNotified(published.folder) : NOTHING_KNOWN;
  const withPublished = (told: Notified["hub"]) => {
    const intervals = collections.map((work) => {
      const { url } = work.collection;
      return [url, intervalToText(textToInterval(told[url]) ?? publishedInterval(work))];
    });
    return { ...told, ...Object.fromEntries(intervals) };
  };
  return { hub: withPublished(hub), indexNow: withPublished(indexNow) };
}

function publishedInterval({ published, time }: CollectionWork): ToldInterval {
  const until = published?.time ?? time;
  return { from: published?.previous ?? until, until };
}

/** What is to be told; of a first publication, which has no followers, an empty interval. */
export function untold(
  told: ToldInterval,
  { time, previous }: { readonly time: number; readonly previous: number | undefined },
): ToldInterval {
  const isTold = previous === undefined || told.until >= time;
  return { from: isTold ? time : Math.min(told.until, previous), until: time };
}
