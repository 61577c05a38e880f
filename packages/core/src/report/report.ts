import { formatDatetime } from "@rs-emit/documents";
import { periodEnd } from "@rs-emit/feeds";
import type { Builder, Environment } from "../model/environment.ts";
import { SOURCE_DESCRIPTION } from "../model/layout.ts";
import type { CollectionWork, Plan, Unlogged } from "../model/plan.ts";
import type { Recalled } from "../model/publication.ts";
import type { Inventory } from "../model/resources.ts";
import type { Note } from "../model/sentence.ts";
import type { Settings } from "../options/settings.ts";
import {
  fragmentsNote,
  inventoryNotes,
  missingFoldersNote,
  undecodedNote,
} from "./inventory-notes.ts";
import {
  cleanUrlsNote,
  describedAnewNote,
  dumpNotes,
  firstNotes,
  headersNote,
  lostPackagesNote,
  planNotes,
  sitemapNotes,
  wellKnownNote,
} from "./notes.ts";
import type { CollectionResult, EmitResult, PublishedFiles } from "./result.ts";

interface FinishedRun {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly recalled: Recalled;
  readonly inventory: Inventory;
  readonly plan: Plan;
  readonly published: PublishedFiles;
  readonly titles: ReadonlyMap<string, string>;
}

/** @param more notes of a run that is more than a publication */
export function resultOf(
  { settings, environment, recalled, inventory, plan, published, titles }: FinishedRun,
  more: readonly Note[] = [],
): EmitResult {
  const { documents, lostPackages, sitemap } = published;
  const { site, folder, dryRun } = settings;
  const { excluded, stale, unreadable } = inventory;
  const isLogged = plan.collections.some(({ changed }) => changed);
  const rewritten = isLogged ? [] : rewrittenDocuments(documents, plan, settings);
  return {
    status: isLogged || rewritten.length > 0 ? "published" : "unchanged",
    first: plan.first,
    dryRun,
    datetime: formatDatetime(plan.time),
    site,
    folder,
    sourceDescription: site + SOURCE_DESCRIPTION,
    collections: plan.collections.map((work) => collectionResult(work, plan, settings, titles)),
    documents,
    rewritten,
    linked: settings.link === true,
    pages: plan.pages.filter(({ isLink }) => !isLink).map(({ file }) => file),
    excluded,
    stale,
    unreadable,
    unsourced: unsourced(inventory, plan, environment.builder),
    notes: [
      ...firstNotes(recalled.kind === "unfinished", settings.first && !plan.first),
      ...planNotes(plan),
      ...describedAnewNote(plan, settings),
      ...more,
      ...inventoryNotes(inventory, plan),
      ...fragmentsNote(inventory, plan),
      ...undecodedNote(inventory),
      ...(plan.first ? [...wellKnownNote(settings), ...cleanUrlsNote(settings, inventory)] : []),
      ...headersNote(settings, documents),
      ...sitemapNotes(sitemap, settings),
      ...dumpNotes(settings, plan.collections, documents),
      ...lostPackages.flatMap(lostPackagesNote),
      ...missingFoldersNote(inventory.missing),
    ],
  };
}

/** Where the last publication is not in the folder, only a feed with a digest that is over is known to differ. */
function rewrittenDocuments(
  documents: PublishedFiles["documents"],
  { published, collections, present }: Plan,
  { folder, feed }: Settings,
): readonly string[] {
  const written = documents.filter(({ status }) => status === "written").map(({ path }) => path);
  if (published?.folder === folder || feed === undefined) return written;
  const { entries } = feed;
  const digests = collections.flatMap(({ collection, time }) => {
    const isOver = entries !== "publication" && periodEnd(time, entries) <= present;
    return isOver ? collection.folder + feed.file : [];
  });
  return written.filter((path) => digests.includes(path));
}

/** Only pages with a change are examined: a builder may have to search for source files. */
export function unsourced(
  { resources }: Inventory,
  { collections, first }: Plan,
  builder: Builder | undefined,
): readonly string[] {
  if (builder === undefined) return [];
  const changed = new Set(
    collections.flatMap(({ derived }) => derived.changes.map((one) => one.url)),
  );
  return resources.flatMap(({ url, file }) => {
    const isAsked = file !== undefined && (first || changed.has(url));
    return isAsked && builder.sourceFiles(file).length === 0 ? url : [];
  });
}

function collectionResult(
  { collection, derived, unlogged = NONE }: CollectionWork,
  plan: Plan,
  { feed }: Settings,
  titles: FinishedRun["titles"],
): CollectionResult {
  const { url, title } = collection;
  const own = new Set(derived.snapshot.map(({ url }) => url));
  return {
    url,
    title,
    feed: feed && url + feed.file,
    feedTitle: titles.get(url) ?? title ?? url,
    changes: derived.changes,
    resources: derived.snapshot.length,
    unlogged,
    undated: plan.undated.filter((url) => own.has(url)),
  };
}

const NONE: Unlogged = { sameMarkup: 0, links: 0, renewed: 0 };
