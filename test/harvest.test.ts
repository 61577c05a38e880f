import { folderTransport } from "@rs-emit/reader/http/folder-transport";
import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { TestHarvester } from "../packages/harvester/test/support/harvest.ts";
import { describeStores, type TestStore } from "../packages/harvester/test/support/stores.ts";
import { type Event, someFollowing } from "./harvest/events.ts";
import { liveAndHarvest } from "./harvest/live.ts";
import { Host } from "./model/host.ts";
import { STORIES } from "./model/stories.ts";
import { rounds } from "./thorough.ts";

/**
 * From the author's edit to the follower's reader: whatever an author publishes, however much of it is
 * deployed, and whenever a harvester looks or dies, each change reaches the feed once.
 */
describeStores("harvested, and remembered by $name", ({ open }) => {
  let host: Host;
  let memory: TestStore;
  let harvester: TestHarvester;
  beforeAll(async () => {
    host = await Host.start();
    memory = await open();
    harvester = new TestHarvester(memory.store, folderTransport(".", "https://example.org/"));
  });
  afterAll(async () => {
    await memory[Symbol.asyncDispose]();
    await host[Symbol.asyncDispose]();
  });

  test.each(STORIES)("$name", async ({ steps }) => {
    const events = steps.flatMap((step): Event[] => [
      { event: "publish", step },
      { event: "deploy" },
      { event: "check", pause: 60 },
    ]);
    await liveAndHarvest(host, harvester, events);
  });

  test("each change reaches the feed once", () =>
    fc.assert(
      fc.asyncProperty(someFollowing, async (events) => {
        await liveAndHarvest(host, harvester, events);
      }),
      { numRuns: Number(process.env.HARVEST_RUNS ?? rounds(10, 40)) },
    ));
});
