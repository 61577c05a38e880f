import pLimit from "p-limit";
import { checkSource } from "../check/check.ts";
import type { Harvester } from "../check/harvester.ts";
import type { CheckResult } from "../check/result.ts";
import { folderTransport } from "../fetch/folder.ts";
import { respectRobots } from "../fetch/robots.ts";
import { openTransport } from "../fetch/transport.ts";
import { follow } from "../follow/follow.ts";
import type { HarvestArguments } from "./arguments.ts";
import { EXIT } from "./errors.ts";
import { memoryOf, openMemory } from "./memory.ts";
import { ProgressDisplay } from "./progress.ts";
import { type Outcome, report } from "./report.ts";
import type { Streams } from "./streams.ts";
import { type Targets, targetsOf } from "./targets.ts";
import { writeFeeds } from "./write-feeds.ts";

/** Sites that are asked at once; each of them answers from somewhere else. */
const AT_ONCE = 32;

/** A site with very many lists is read in as many checks at most. */
const CHECKS = 1000;

/** Checks the sites that the command line names, once, and writes their feeds. */
export async function harvest(given: HarvestArguments, streams: Streams): Promise<number> {
  const targets = targetsOf(given);
  const store = await openMemory(given, placeOf(targets, given));
  const { transport, close } = transportOf(targets, given);
  try {
    const { settings } = given;
    const { database } = store;
    const now = () => given.now ?? Date.now() / 1000;
    const harvester = { database, transport, settings, now, random: Math.random };
    const outcomes = await checkAll(harvester, addressesOf(targets), streams);
    const feeds = await writeFeeds(database, given, outcomes);
    report(outcomes, feeds, given, streams);
    return outcomes.some(({ result }) => result.kind !== "checked") ? EXIT.failed : EXIT.done;
  } finally {
    await close();
    await store.close();
  }
}

/** A built folder holds all there is to know: what it says is told anew each time, with the same ids. */
function placeOf(targets: Targets, { out }: HarvestArguments): string | undefined {
  return targets.kind === "folder" ? undefined : memoryOf(out);
}

function transportOf(targets: Targets, { allowPrivate, contact }: HarvestArguments) {
  if (targets.kind === "folder") {
    const close = async () => {};
    return { transport: folderTransport(targets.folder, targets.url), close };
  }
  const network = openTransport({ allowPrivate, ...(contact === undefined ? {} : { contact }) });
  return { transport: respectRobots(network), close: () => network.close() };
}

function addressesOf(targets: Targets): readonly string[] {
  return targets.kind === "folder" ? [targets.url] : targets.addresses;
}

async function checkAll(
  harvester: Harvester,
  addresses: readonly string[],
  { stderr }: Streams,
): Promise<Outcome[]> {
  const progress = new ProgressDisplay(stderr, addresses.length);
  const limit = pLimit(AT_ONCE);
  const hosts = Map.groupBy(addresses, (address) => new URL(address).hostname);
  // A host is asked one thing at a time.
  const checks = [...hosts.values()].map((ofHost) =>
    limit(async () => {
      const outcomes: Outcome[] = [];
      for (const address of ofHost) {
        outcomes.push(await checkOne(harvester, address));
        progress.advance();
      }
      return outcomes;
    }),
  );
  try {
    const outcomes = (await Promise.all(checks)).flat();
    const order = new Map(addresses.map((address, at) => [address, at]));
    const place = ({ address }: Outcome) => order.get(address) ?? 0;
    return outcomes.sort((one, other) => place(one) - place(other));
  } finally {
    progress.stop();
  }
}

async function checkOne(harvester: Harvester, address: string): Promise<Outcome> {
  const { database, now } = harvester;
  const { id } = await follow(database, address, now());
  let told = 0;
  let result: CheckResult;
  let checks = 0;
  do {
    result = await checkSource(harvester, id);
    told += "told" in result ? result.told : 0;
    checks += 1;
  } while (result.kind === "checked" && result.hasUnread && checks < CHECKS);
  const source = result.kind === "merged" ? result.into : id;
  return { address, source, told, result };
}
