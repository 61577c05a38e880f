import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import { Host } from "./model/host.ts";
import { STORIES } from "./model/stories.ts";
import { liveAndCopy, type SourceKind } from "./sync/copied.ts";
import { type Event, someCopying } from "./sync/events.ts";
import { rounds } from "./thorough.ts";

const KINDS: readonly SourceKind[] = (["lists", "lists and dumps", "dumps"] as const).flatMap(
  (publishing) =>
    (["hashes", "nothing"] as const).map((stating): SourceKind => ({ publishing, stating })),
);

const OWN: SourceKind = { publishing: "dumps of rs-emit alone", stating: "hashes" };

/** From the author's edit to a copy elsewhere: after each sync the two are equal, byte for byte. */
describe("a copy is the site, by what a source publishes and states of its pages", () => {
  let host: Host;
  beforeAll(async () => {
    host = await Host.start();
  });
  afterAll(async () => {
    await host[Symbol.asyncDispose]();
  });

  describe.each(KINDS.filter(({ publishing }) => publishing === "lists"))(
    "$publishing, $stating",
    (kind) => {
      test.each(STORIES)("$name", async ({ steps }) => {
        const events = steps.flatMap((step): Event[] => [
          { event: "publish", step },
          { event: "sync" },
        ]);
        await liveAndCopy(host, kind, events);
      });
    },
  );

  test.each([...KINDS, OWN])(
    "$publishing, $stating: whatever is edited, and whenever a sync dies",
    (kind) =>
      fc.assert(
        fc.asyncProperty(someCopying, async (events) => liveAndCopy(host, kind, events)),
        { numRuns: Number(process.env.SYNC_RUNS ?? rounds(4, 12)) },
      ),
  );
});
