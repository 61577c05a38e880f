import { refuseNoteWithoutChange } from "./derive/author-notes.ts";
import { draftNext, planNext } from "./derive/continuation.ts";
import { draftFirst, knownPast, planFirst } from "./derive/first-publication.ts";
import { presentTime } from "./derive/publication-time.ts";
import { refuseOnDemand } from "./dump/index.ts";
import { gatherPast, type ReadSite } from "./gather/first-publication.ts";
import { gatherNext } from "./gather/next-publication.ts";
import { boundHeapGrowth } from "./heap-growth.ts";
import { readRepository, requireSources } from "./history/repositories.ts";
import { finishPages } from "./insertions/finish-pages.ts";
import { areLinksDeclined, linksDeclinedNote } from "./insertions/links.ts";
import { confirmFolder, servedCollections } from "./inventory/folders.ts";
import { takeInventory } from "./inventory/inventory.ts";
import { requireFolder } from "./inventory/walk.ts";
import { haveCleanUrls } from "./model/clean-urls.ts";
import type { Environment } from "./model/environment.ts";
import { pagesWithLastGood } from "./model/last-good.ts";
import { ownDocuments } from "./model/layout.ts";
import type { Plan } from "./model/plan.ts";
import {
  isPublishedIn,
  knownRepresentations,
  memoryOf,
  publishedCollections,
  type Recalled,
} from "./model/publication.ts";
import { type Inventory, ON_DEMAND } from "./model/resources.ts";
import { refuseTestAddress } from "./model/site-address.ts";
import { feedTitles } from "./model/site-title.ts";
import type { EmitOptions } from "./options/emit-options.generated.ts";
import { parseOptions, type Settings } from "./options/settings.ts";
import { publishPlan } from "./publish-plan.ts";
import { recallFrom, refuseStalePages } from "./recall/previous-publication.ts";
import { resultOf } from "./report/report.ts";
import type { EmitResult } from "./report/result.ts";
import { withLock } from "./write/lock.ts";

/**
 * Publishes a site's change log: reads the last publication, compares it with the output folder, and appends.
 * Either all documents are written, or none.
 * @returns everything that the command prints
 * @throws {EmitError} with a stable `code`; nothing was written unless its message says so
 */
export async function emit(
  options: EmitOptions,
  environment: Environment = {},
): Promise<EmitResult> {
  const parsed = parseOptions(options);
  refuseTestAddress(parsed);
  const root = await requireFolder(parsed.folder);
  const collections = servedCollections(parsed);
  const anyFolder = await confirmFolder(root, { ...parsed, collections }, environment);
  const settings = { ...parsed, collections, anyFolder };
  using _ = boundHeapGrowth();
  await requireSources(settings);
  environment.onProgress?.({ step: "lock", done: 0, total: 0 });
  const run = () => publishSite(settings, environment);
  return settings.dryRun
    ? await run()
    : await withLock(settings.folder, run, environment.lockMilliseconds);
}

async function publishSite(given: Settings, environment: Environment): Promise<EmitResult> {
  environment.onProgress?.({ step: "recall", done: 0, total: 0 });
  const recalled = await recallFrom(given, environment);
  const wished = withPublishedUrls(given, recalled);
  // Read before any page, so that an edit during the run is later than the publication.
  const present = presentTime(wished, environment, recalled.hostTime);
  const reading = readHistoryAhead(wished, environment, recalled);
  const inventory = await readFolder(wished, environment, recalled);
  await refuseStalePages(wished, environment, recalled, inventory);
  const isDeclined = await areLinksDeclined(wished, environment, inventory, recalled);
  const settings = isDeclined ? { ...wished, link: undefined } : wished;
  if (settings.dump !== undefined) refuseOnDemand(inventory);
  const plan = await planSite(settings, environment, {
    inventory,
    recalled,
    reading,
    present,
  });
  refuseNoteWithoutChange(settings, plan);
  const published = await publishPlan(settings, environment, plan, inventory);
  const titles = await feedTitles(settings, inventory);
  const run = { settings, environment, recalled, inventory, plan, published, titles };
  return resultOf(run, isDeclined ? [linksDeclinedNote()] : []);
}

/** Pages keep their published URLs unless the author sets `cleanUrls`. */
function withPublishedUrls(settings: Settings, recalled: Recalled): Settings {
  if (settings.cleanUrlsGiven) return settings;
  const pages = publishedCollections(recalled).flatMap(({ snapshot }) =>
    [...snapshot.values()].filter(
      ({ type, content }) => /html/.test(type ?? "") && content !== ON_DEMAND,
    ),
  );
  const clean = haveCleanUrls(pages.map(({ url }) => url));
  return { ...settings, cleanUrls: clean ?? settings.cleanUrls };
}

async function readFolder(
  settings: Settings,
  { builder, onProgress }: Environment,
  recalled: Recalled,
): Promise<Inventory> {
  const inventory = await takeInventory({
    ...settings,
    known: knownRepresentations(publishedCollections(recalled)),
    isPublished: isPublishedIn(publishedCollections(recalled)),
    remembers: settings.excerpts,
    memoryOf: recalled.kind === "published" ? memoryOf(publishedCollections(recalled)) : undefined,
    isBuilt: builder !== undefined,
    isOwnDocument: ownDocuments(
      [...settings.collections, ...publishedCollections(recalled)],
      settings,
    ),
    onDemand: builder?.onDemand ?? [],
    unlisted: builder?.unlisted ?? [],
    annotate: builder?.annotate,
    onProgress: (done, total) => onProgress?.({ step: "inventory", done, total }),
  });
  return pagesWithLastGood(inventory, publishedCollections(recalled));
}

function readHistoryAhead(
  settings: Settings,
  environment: Environment,
  { kind }: Recalled,
): ReadSite["reading"] {
  if (kind === "published") return Promise.resolve(undefined);
  const reading = readRepository(settings, environment, true);
  reading.catch(() => {}); // An inventory error is reported first.
  return reading;
}

/** Gathers what must be read or asked, and derives the plan from it. Pages show what the plan says. */
async function planSite(
  settings: Settings,
  environment: Environment,
  read: ReadSite,
): Promise<Plan> {
  const { inventory, recalled, present } = read;
  const { others } = recalled;
  if (recalled.kind === "published") {
    const facts = await gatherNext(settings, environment, inventory, recalled.publication, present);
    const draft = draftNext(settings, inventory, facts, present);
    const pages = await finishPages(settings, inventory, draft);
    return planNext(draft, inventory, others, pages);
  }
  const facts = await gatherPast(settings, environment, read);
  const draft = draftFirst(settings, inventory, facts, present);
  const pages = await finishPages(settings, inventory, draft);
  const plan = planFirst(draft, inventory, others, pages);
  return { ...plan, past: knownPast(facts, inventory, plan) };
}
