import { cpSync } from "node:fs";
import { join } from "node:path";
import { EmitError } from "@rs-emit/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DISK, type FileSystem } from "../packages/core/src/model/file-system.ts";
import { cutOf, proveAftermath } from "./kill/aftermath.ts";
import { publishBefore, stateAfter } from "./kill/before.ts";
import { SCENARIOS, type Scenario } from "./kill/scenarios.ts";
import { documentsIn, QUICK_DISK, replaceFolder } from "./model/documents.ts";
import { Host } from "./model/host.ts";
import type { MemoryKind } from "./model/memory.ts";
import { ClosedLists, proveDocuments } from "./model/proof.ts";
import { Publisher } from "./model/publisher.ts";
import type { State } from "./model/state.ts";
import { rounds, STRIDE } from "./thorough.ts";

let host: Host;
beforeAll(async () => {
  host = await Host.start();
});
afterAll(() => host[Symbol.asyncDispose]());

/** Where a site is deployed to: one that is given dot folders, or not. */
type Target = Extract<MemoryKind, `site${string}`>;

/** Which of the new documents reach the live site. */
type Delivery = (documents: Deliverable) => readonly string[];

interface Deliverable {
  readonly sorted: readonly string[];
  readonly asPublished: readonly string[];
}

/**
 * Wherever a deploy is cut, the next run that reads the live site ends with the model's log. Where the
 * Resource List, or any word of a new collection, arrived without its log, it stops instead, and goes
 * on once the whole was deployed.
 */
describe.each(SCENARIOS)("a deploy that is cut: $name", (scenario) => {
  test.each<[string, keyof Deliverable, boolean]>([
    ["in the order of paths; then the same site is published", "sorted", false],
    ["in publishing order; then the site is edited further", "asPublished", true],
  ])("after any document, %s", (_, order, further) =>
    cutAnywhere("site", scenario, order, further),
  );
});

/** Where the Source Description never arrives, the Capability Lists tell which collections there are. */
describe.each(SCENARIOS.filter(({ name }) => /collection/.test(name)))(
  "a deploy without dot folders that is cut: $name",
  (scenario) => {
    test("after any document", () =>
      cutAnywhere("site without dot folders", scenario, "sorted", true));
  },
);

test("a deploy of which any part arrives", { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom<Target>("site", "site without dot folders"),
      fc.constantFrom(...SCENARIOS),
      fc.boolean(),
      fc.array(fc.boolean(), { minLength: 50, maxLength: 50 }),
      (target, scenario, further, arrives) =>
        deployCut(target, scenario, further, ({ sorted }) => sorted.filter((_, at) => arrives[at])),
    ),
    { numRuns: Number(process.env.DEPLOY_RUNS ?? rounds(8, 40)) },
  ),
);

async function cutAnywhere(
  target: Target,
  scenario: Scenario,
  order: keyof Deliverable,
  further: boolean,
): Promise<void> {
  let all = 1;
  for (let count = order === "sorted" ? 0 : 1; count <= all; count += STRIDE) {
    await deployCut(target, scenario, further, (documents) => {
      all = documents[order].length;
      return documents[order].slice(0, count);
    });
  }
  expect(all).toBeGreaterThan(3);
}

async function deployCut(
  target: Target,
  scenario: Scenario,
  further: boolean,
  deliver: Delivery,
): Promise<void> {
  using publisher = new Publisher(target, host, scenario.entries);
  const { site, output, aside } = publisher;
  const closed = new ClosedLists();
  const before = await publishBefore(publisher, scenario, closed);
  publisher.edit(scenario.step.edits, scenario.step.elapse, scenario.step.note);
  const intended = stateAfter(before, publisher);
  const documents = await publishUndeployed(publisher, target);
  replaceFolder(output, aside);
  const delivered = deliver(documents);
  for (const path of delivered) cpSync(join(aside, path), join(host.folder, path));
  const cut = cutOf("live site", host.folder, site, [before, intended]);
  publisher.edit(further ? scenario.further : [], 60);
  try {
    const mayStop =
      before.size === 0 ||
      isSnapshotAhead(delivered, documents.sorted) ||
      isLogLost(delivered, documents.sorted, newFolders(site.url, before, intended));
    if (await runs(publisher, mayStop)) {
      proveAftermath(output, site, cut);
    } else {
      expect(documentsIn(output).size).toBe(0);
      publisher.memory.keep(aside);
      await publisher.run();
      proveDocuments(output, site.url, stateAfter(intended, publisher));
    }
    closed.prove(output, site.url);
  } catch (error) {
    throw new Error(`of the deploy arrived: ${delivered.join(", ")}`, { cause: error });
  }
}

/** @returns the documents that a deploy would have to replace */
async function publishUndeployed(publisher: Publisher, target: Target): Promise<Deliverable> {
  const { output } = publisher;
  const asPublished: string[] = [];
  const disk: FileSystem = {
    ...QUICK_DISK,
    rename(from, to) {
      asPublished.push(to.slice(output.length + 1));
      DISK.rename(from, to);
    },
  };
  const live = documentsIn(host.folder);
  await publisher.run({ fileSystem: disk });
  const isDropped = (path: string) => target !== "site" && path.startsWith(".");
  const isNew = new Map(
    [...documentsIn(output)].filter(([path, is]) => live.get(path) !== is && !isDropped(path)),
  );
  return {
    sorted: [...isNew.keys()].sort(),
    asPublished: asPublished.filter((at) => isNew.has(at)),
  };
}

/** Whether some collection's Resource List arrived, and not all of its log. */
function isSnapshotAhead(delivered: readonly string[], all: readonly string[]): boolean {
  const missing = all.filter((path) => !delivered.includes(path));
  return delivered.some((path) => {
    const [snapshot, folder = ""] = /^(.*\/)?resourcelist\.xml$/.exec(path) ?? [];
    const mayStand = new RegExp(`^${folder}(?:changelist|resourcelist/)`);
    return snapshot !== undefined && missing.some((one) => mayStand.test(one));
  });
}

/** The folders of collections that the deploy was to bring for the first time. */
function newFolders(url: string, before: State, intended: State): string[] {
  return [...intended.keys()].filter((one) => !before.has(one)).map((one) => one.slice(url.length));
}

/** Whether something tells of a new collection, and not all of its log arrived. */
function isLogLost(
  delivered: readonly string[],
  all: readonly string[],
  folders: readonly string[],
): boolean {
  return folders.some((folder) => {
    const log = all.filter((path) => path.startsWith(`${folder}changelist`));
    return delivered.length > 0 && log.some((path) => !delivered.includes(path));
  });
}

/** @returns whether the run was able to; where it may stop, it stops with an error of its own */
async function runs(publisher: Publisher, mayStop: boolean): Promise<boolean> {
  try {
    await publisher.run();
    return true;
  } catch (error) {
    if (!mayStop || !(error instanceof EmitError)) throw error;
    return false;
  }
}
