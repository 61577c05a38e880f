import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import { Host } from "./model/host.ts";
import { STORIES } from "./model/stories.ts";
import { liveAndCopy, type Stating } from "./sync/copied.ts";
import { type Event, someCopying } from "./sync/events.ts";

/** From the author's edit to a copy elsewhere: after each sync the two are equal, byte for byte. */
describe.each<Stating>(["hashes", "nothing"])(
  "a copy of a site that states %s of its pages",
  (stating) => {
    let host: Host;
    beforeAll(async () => {
      host = await Host.start();
    });
    afterAll(async () => {
      await host[Symbol.asyncDispose]();
    });

    test.each(STORIES)("$name", async ({ steps }) => {
      const events = steps.flatMap((step): Event[] => [
        { event: "publish", step },
        { event: "sync" },
      ]);
      await liveAndCopy(host, stating, events);
    });

    test("is the site, whatever is edited, and whenever a sync dies", () =>
      fc.assert(
        fc.asyncProperty(someCopying, async (events) => liveAndCopy(host, stating, events)),
        { numRuns: Number(process.env.SYNC_RUNS ?? 25) },
      ));
  },
);
