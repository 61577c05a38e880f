import { randomUUID } from "node:crypto";
import type { CollectionReading, Reading } from "@rs-emit/reader";
import { recordCheck } from "../../src/check/check.ts";
import { documentsOf } from "../../src/store/document.ts";
import { follow } from "../../src/store/following.ts";
import { releaseHost, takeHost } from "../../src/store/leases.ts";
import { findSource } from "../../src/store/source.ts";
import type { TestHarvester } from "../support/harvest.ts";
import { readingOf, SITE } from "../support/readings.ts";
import type { LogReading } from "./transports.ts";

/** What one check reads of a source with any number of collections, by their names. */
export interface SourceStep {
  readonly now: number;
  readonly collections: readonly SetStep[];
}

export interface SetStep {
  readonly name: string;
  readonly capabilityListUrl: string;
  readonly reading: LogReading;
}

/** Records what checks read, in a database. Returns all that is told: `URL kind datetime`. */
export async function recorded(
  harvester: TestHarvester,
  steps: Iterable<SourceStep>,
): Promise<string[]> {
  await harvester.forgetAll();
  const { database } = harvester;
  let source: number | undefined;
  for (const { now, collections } of steps) {
    harvester.time = now;
    source ??= (await follow(database, SITE, now)).id;
    const row = await findSource(database, source);
    if (row === undefined) throw new Error("the source is gone");
    const token = randomUUID();
    await takeHost(database, row.host, token, now);
    const parts = collections.map(readingOfSet);
    const [first] = parts;
    if (first === undefined) throw new Error("nothing was read");
    const reading: Reading = {
      ...first,
      collections: parts.flatMap((part) => part.collections),
      documents: parts.flatMap((part) => part.documents),
    };
    const facts = {
      descriptionUrl: row.description_url ?? reading.descriptionUrl,
      reading,
      error: undefined,
      remembered: await documentsOf(database, source),
      busy: new Map(),
    };
    const result = await recordCheck(harvester, { source: row, token, facts });
    await releaseHost(database, row.host, token);
    if (result.kind !== "checked") throw new Error(`the check ended as ${result.kind}`);
  }
  return (await harvester.toldChanges()).sort();
}

function readingOfSet({ name, capabilityListUrl, reading }: SetStep): Reading {
  const listName = (list: string) => `lists/${capabilityListUrl.slice(SITE.length)}/${list}`;
  const lists = [...reading.lists].map(([list, { entries }]) => [
    listName(list),
    entries.map(({ kind, page, datetime, hash }) =>
      [kind, page, datetime, ...(hash === "" ? [] : [`#${hash}`])].join(" "),
    ),
  ]);
  const closed = [...reading.lists].filter(([, { isClosed }]) => isClosed);
  const more: Partial<CollectionReading> = {
    key: name,
    url: SITE + name,
    capabilityListUrl,
    unreadLists: reading.unread,
  };
  return readingOf(Object.fromEntries(lists), {
    ...more,
    closed: closed.map(([list]) => listName(list)),
    unread: reading.named.filter((list) => !reading.lists.has(list)).map(listName),
  });
}
