import { expect } from "vitest";
import { contentsOf } from "./documents.ts";
import type { Step } from "./edits.ts";
import { Feeds } from "./feeds.ts";
import type { Host } from "./host.ts";
import type { MemoryKind } from "./memory.ts";
import { expectPublication } from "./oracle.ts";
import { ClosedLists, proveDocuments, provePages } from "./proof.ts";
import { Publisher } from "./publisher.ts";
import type { State } from "./state.ts";

/**
 * Lives through some steps, publishing after each, and proves each publication.
 *
 * @param entries the most entries of a document; absent for the specification's own limit
 */
export async function live(
  kind: MemoryKind,
  host: Host,
  steps: readonly Step[],
  entries?: number,
): Promise<void> {
  using publisher = new Publisher(kind, host, entries);
  const { site, output } = publisher;
  const closed = new ClosedLists();
  const feeds = new Feeds();
  let state: State = new Map();
  for (const { elapse, edits, note } of steps) {
    publisher.edit(edits, elapse, note);
    const expected = expectPublication(state, site);
    if ("stops" in expected) {
      await expect(publisher.publish()).rejects.toMatchObject({ code: expected.stops });
      continue;
    }
    await publisher.publish();
    state = expected.state;
    proveDocuments(output, site.url, state);
    provePages(output, site, state);
    closed.prove(output, site.url);
    feeds.prove(output, site.url);
    await proveAtRest(publisher);
  }
}

/** A run that finds no change leaves every byte as it was, also when lists of changes were built again. */
async function proveAtRest(publisher: Publisher): Promise<void> {
  const before = contentsOf(publisher.output);
  publisher.edit([], 61);
  const { status } = await publisher.publish();
  publisher.site.now -= 61;
  expect(status).toBe("unchanged");
  expect(contentsOf(publisher.output)).toEqual(before);
}
