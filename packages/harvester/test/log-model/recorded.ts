import { randomUUID } from "node:crypto";
import type { CollectionReading, Reading } from "@rs-emit/reader";
import { checkSource } from "../../src/check/check.ts";
import type { Harvester } from "../../src/check/harvester.ts";
import { follow } from "../../src/store/following/following.ts";
import { releaseHost, takeHost } from "../../src/store/host-leases.ts";
import { findSource } from "../../src/store/source.ts";
import type { TestHarvester } from "../support/harvest.ts";
import { readingOf, SITE } from "../support/readings.ts";
import type { ListRead, LogReading } from "./transports.ts";

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

/** Records what checks read, in a database. Returns all that is reported: `URL kind datetime`. */
export async function recorded(
  harvester: TestHarvester,
  steps: Iterable<SourceStep>,
): Promise<string[]> {
  await harvester.forgetAll();
  let source: number | undefined;
  for (const step of steps) {
    harvester.time = step.now;
    source ??= (await follow(harvester.database, SITE, step.now)).id;
    await recordStep(harvester, source, step);
  }
  return (await harvester.reportedChanges()).sort();
}

/** Checks a source that gives this reading. */
export async function recordStep(
  harvester: Harvester,
  id: number,
  { collections }: SourceStep,
): Promise<void> {
  const { database } = harvester;
  const source = await findSource(database, id);
  if (source === undefined) throw new Error("the source is gone");
  const token = randomUUID();
  await takeHost(database, source.host, token, harvester.now());
  const parts = collections.map(readingOfSet);
  const [first] = parts;
  if (first === undefined) throw new Error("nothing was read");
  const reading: Reading = {
    ...first,
    collections: parts.flatMap((part) => part.collections),
    documents: parts.flatMap((part) => part.documents),
  };
  const result = await checkSource(
    harvester,
    { source, token },
    {
      ask: async (_, { description_url }, remembered) => ({
        descriptionUrl: description_url ?? reading.descriptionUrl,
        reading,
        error: undefined,
        remembered,
        busy: new Map(),
      }),
    },
  );
  await releaseHost(database, source.host, token);
  if (result.kind !== "checked") throw new Error(`the check ended as ${result.kind}`);
}

function readingOfSet({ name, capabilityListUrl, reading }: SetStep): Reading {
  const listName = (list: string) => `lists/${capabilityListUrl.slice(SITE.length)}/${list}`;
  const lists = [...reading.lists].map(([list, { entries }]) => [
    listName(list),
    entries.map(({ kind, page, datetime, hash }) =>
      [kind, page, datetime, ...(hash === "" ? [] : [`#${hash}`])].join(" "),
    ),
  ]);
  const namesOf = (isOne: (list: ListRead) => boolean) =>
    [...reading.lists].filter(([, list]) => isOne(list)).map(([list]) => listName(list));
  const more: Partial<CollectionReading> = {
    key: name,
    url: SITE + name,
    capabilityListUrl,
    unreadLists: reading.unread,
  };
  return readingOf(Object.fromEntries(lists), {
    ...more,
    closed: namesOf(({ isClosed }) => isClosed),
    partial: namesOf(({ isPartial }) => isPartial),
    unread: reading.named.filter((list) => !reading.lists.has(list)).map(listName),
  });
}
