import { expect } from "vitest";
import { documentsIn } from "./documents.ts";
import type { Step } from "./edits.ts";
import type { Host } from "./host.ts";
import type { MemoryKind } from "./memory.ts";
import { expectPublication } from "./oracle.ts";
import { ClosedLists, proveDocuments } from "./proof.ts";
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
  let state: State = new Map();
  for (const { elapse, edits } of steps) {
    publisher.edit(edits, elapse);
    const expected = expectPublication(state, site);
    if ("stops" in expected) {
      await expect(publisher.publish()).rejects.toMatchObject({ code: expected.stops });
      continue;
    }
    await publisher.publish();
    state = expected.state;
    proveDocuments(output, site.url, state);
    closed.prove(output, site.url);
    await proveAtRest(publisher);
  }
}

/** A run that finds no change leaves every byte as it was. */
async function proveAtRest(publisher: Publisher): Promise<void> {
  const before = documentsIn(publisher.output);
  publisher.site.now += 61;
  const { status } = await publisher.publish();
  publisher.site.now -= 61;
  expect(status).toBe("unchanged");
  expect(documentsIn(publisher.output)).toEqual(before);
}
