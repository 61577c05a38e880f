import { expect } from "vitest";
import { contentsOf } from "./documents.ts";
import type { Step } from "./edits.ts";
import { Feeds } from "./feeds.ts";
import type { Host } from "./host.ts";
import type { MemoryKind } from "./memory.ts";
import { expectPublication } from "./oracle.ts";
import { ClosedLists, proveDocuments, provePages } from "./proof.ts";
import { Publisher } from "./publisher.ts";
import { type Software, TODAYS } from "./software.ts";
import type { State } from "./state.ts";

/** What a life may differ in. */
export interface Life {
  /** The most entries of a document; absent for the specification's own limit. */
  readonly entries?: number | undefined;
  /** Which version publishes each step; today's after the last. */
  readonly software?: readonly Software[];
}

/**
 * What every life with a memory begins with. Without a Source Description, a collection is found where it is
 * configured, or at the site's root: on such a host nothing tells of others once no collection of the last
 * publication is configured.
 */
export function beginning(kind: MemoryKind): readonly Step[] {
  return kind === "site without dot folders" ? [{ elapse: 60, edits: [] }] : [];
}

/** Lives through some steps, publishing after each, and proves each publication. */
export async function live(
  kind: MemoryKind,
  host: Host,
  steps: readonly Step[],
  { entries, software = [] }: Life = {},
): Promise<void> {
  using publisher = new Publisher(kind, host, entries);
  const { site, output } = publisher;
  const closed = new ClosedLists();
  const feeds = new Feeds(software.every((one) => one.emit === TODAYS.emit));
  let state: State = new Map();
  for (const [at, { elapse, edits, note }] of steps.entries()) {
    publisher.software = software[at] ?? TODAYS;
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
    // What an imitation leaves out is written anew by each of its runs.
    if (publisher.software.finish === undefined) await proveAtRest(publisher);
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
