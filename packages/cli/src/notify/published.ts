import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readDocumentSync, SOURCE_DESCRIPTION } from "@rs-emit/documents";
import { CommandError, EXIT } from "../errors.ts";

export interface PublishedCollection {
  /** The collection's own URL. */
  readonly url: string;
  readonly capabilityList: string;
  /** The URL of its notifications; absent if no hub was published. */
  readonly topic: string | undefined;
  readonly feed: string | undefined;
  /** The Change List Index, rewritten by each publication. */
  readonly index: { readonly url: string; readonly bytes: Uint8Array };
}

/**
 * Reads the collections that a folder has published.
 * @param site ends with a slash
 * @throws {CommandError} if nothing was published there
 */
export function readPublished(
  folder: string,
  site: string,
  feedFile: string | undefined,
): readonly PublishedCollection[] {
  const read = (path: string) => readFileSync(join(folder, decodeURIComponent(path)));
  if (!existsSync(join(folder, SOURCE_DESCRIPTION))) throw nothingPublished(folder);
  const { entries } = readDocumentSync(read(SOURCE_DESCRIPTION));
  const lists = entries.map(({ loc }) => loc).filter((loc) => loc.startsWith(site));
  return lists.flatMap((capabilityList) => {
    const path = capabilityList.slice(site.length);
    // A list on the same host may belong to another site, whose folder is elsewhere.
    if (!existsSync(join(folder, decodeURIComponent(path)))) return [];
    const base = path.slice(0, path.lastIndexOf("/") + 1);
    const list = readDocumentSync(read(path));
    const locOf = (capability: string) =>
      list.entries.find(({ metadata }) => metadata?.capability === capability)?.loc;
    const index = locOf("changelist");
    if (index === undefined) return [];
    const feed = feedFile === undefined ? undefined : base + feedFile;
    return {
      url: site + base,
      capabilityList,
      topic: locOf("change-notification"),
      feed:
        feed !== undefined && existsSync(join(folder, decodeURIComponent(feed)))
          ? site + feed
          : undefined,
      index: { url: index, bytes: read(index.slice(site.length)) },
    };
  });
}

function nothingPublished(folder: string): CommandError {
  return new CommandError({
    code: "NOTHING_PUBLISHED",
    problem: `Nothing was published in ${folder}.`,
    cure: "Run rs-emit there first, and deploy.",
    exitCode: EXIT.failed,
  });
}

const PAUSE = 5;

/**
 * Waits until the live site serves the folder's Change List Indexes.
 * @param wait seconds
 * @throws {CommandError} if they do not appear in time
 */
export async function untilLive(
  collections: readonly PublishedCollection[],
  wait: number,
): Promise<void> {
  const end = Date.now() + wait * 1_000;
  for (const { index } of collections) {
    for (;;) {
      const why = await differs(index.url, index.bytes);
      if (why === undefined) break;
      if (Date.now() + PAUSE * 1_000 > end) throw notLive(index.url, why);
      await pause(PAUSE * 1_000);
    }
  }
}

/** Why the live document differs; `undefined` if it does not. */
async function differs(address: string, bytes: Uint8Array): Promise<string | undefined> {
  const url = new URL(address);
  // A new address for each request bypasses caches.
  url.searchParams.set("rs-emit", String(Date.now()));
  try {
    const response = await fetch(url, {
      headers: { "cache-control": "no-cache", "user-agent": "rs-emit" },
      signal: AbortSignal.timeout(30_000),
    });
    const body = Buffer.from(await response.arrayBuffer());
    if (!response.ok) return `it answers ${response.status}`;
    return body.equals(bytes) ? undefined : "it has other bytes than the folder's";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function notLive(url: string, why: string): CommandError {
  return new CommandError({
    code: "NOT_LIVE",
    option: "wait",
    problem: `${url} is not what was published: ${why}. Nobody was notified.`,
    cure: "Deploy the folder first, or wait longer with --wait 30m.",
    exitCode: EXIT.failed,
  });
}
