import {
  EMIT,
  formatDatetime,
  splitList,
  type WriteLimits,
  type WrittenList,
} from "@rs-emit/documents";
import {
  CAPABILITY_LIST,
  GENERATOR,
  RESOURCE_LIST,
  resourceListPartName,
} from "../model/layout.ts";
import { RESOURCE_LIST_PREFIXES, snapshotToEntry } from "../model/log-attributes.ts";
import type { SnapshotEntry } from "../model/resources.ts";

interface SnapshotFacts {
  readonly collection: string;
  readonly at: number;
  readonly entries: readonly SnapshotEntry[];
  readonly excluded: string | undefined;
  readonly limits: Partial<WriteLimits>;
}

/** ResourceSync 1.1, sections 10.1 and 10.2. Parts come first, one in memory at a time. */
export function* composeSnapshot(facts: SnapshotFacts): Generator<WrittenList> {
  const { collection, at, entries, excluded, limits } = facts;
  yield* splitList(
    {
      root: "urlset",
      comments: [GENERATOR],
      metadata: {
        capability: "resourcelist",
        at: formatDatetime(at),
        ...(excluded === undefined
          ? {}
          : { foreign: [{ namespace: EMIT, name: "excluded", value: excluded }] }),
      },
      links: [{ rel: "up", href: collection + CAPABILITY_LIST }],
    },
    mapEntries(entries),
    {
      list: { name: RESOURCE_LIST, url: collection + RESOURCE_LIST },
      part: (number) => {
        const name = resourceListPartName(at, number);
        return { name, url: collection + name };
      },
    },
    { ...limits, prefixes: RESOURCE_LIST_PREFIXES },
  );
}

function* mapEntries(entries: readonly SnapshotEntry[]) {
  for (const entry of entries) yield snapshotToEntry(entry);
}
