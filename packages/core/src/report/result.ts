import { formatDatetime } from "@rs-emit/documents";
import type { CollectionWork, Plan, Unlogged } from "../derive/plan.ts";
import type { Builder } from "../model/builder.ts";
import type { Environment } from "../model/environment.ts";
import { SOURCE_DESCRIPTION } from "../model/layout.ts";
import type { Settings } from "../model/options.ts";
import type { Change, Inventory, LeftOut, PageFile, Withheld } from "../model/types.ts";
import type { Recalled } from "../recall/recall.ts";
import type { PublishedDocument } from "../write/staging.ts";
import {
  firstNotes,
  inventoryNotes,
  missingFoldersNote,
  type Note,
  wellKnownNote,
} from "./notes.ts";

/** What a run did to one collection. */
export interface CollectionResult {
  /** The URL that names the collection. */
  readonly url: string;
  readonly title: string | undefined;
  /** The URL of its feed; absent where none is wanted. */
  readonly feed: string | undefined;
  /** The entries this run added to the log, in log order. */
  readonly changes: readonly Change[];
  /** Resources as they stand. */
  readonly resources: number;
  /** Pages with other bytes than before and no entry in the log. */
  readonly unlogged: Unlogged;
  /** Resources that no evidence dates: in the Resource List, not in the log. URLs. */
  readonly undated: readonly string[];
}

/** Everything a run has to say. */
export interface EmitResult {
  readonly status: "published" | "unchanged";
  /** Whether the log was told by history, since nothing was published before. */
  readonly first: boolean;
  /** Nothing was written: the documents are what would have been. */
  readonly dryRun: boolean;
  /** The time of the publication, a W3C datetime; of the last one when nothing changed. */
  readonly datetime: string;
  readonly site: string;
  readonly folder: string;
  /** The URL of the Source Description, where followers begin. */
  readonly sourceDescription: string;
  readonly collections: readonly CollectionResult[];
  readonly documents: readonly PublishedDocument[];
  readonly withheld: readonly Withheld[];
  /** Pages outside every collection. */
  readonly outside: readonly PageFile[];
  /** Files left over from an earlier build: their resources stay as published. */
  readonly stale: readonly PageFile[];
  readonly leftOut: readonly LeftOut[];
  /**
   * Pages whose source their builder does not know: of all in a first publication, else of those that
   * changed. URLs.
   */
  readonly unsourced: readonly string[];
  readonly notes: readonly Note[];
}

/** Puts together what a run has to say. */
export function resultOf(
  settings: Settings,
  { builder }: Environment,
  recalled: Recalled,
  inventory: Inventory,
  plan: Plan,
  documents: readonly PublishedDocument[],
): EmitResult {
  const { site, folder, dryRun } = settings;
  const { withheld, outside, stale, leftOut } = inventory;
  return {
    status: plan.collections.some(({ changed }) => changed) ? "published" : "unchanged",
    first: plan.first,
    dryRun,
    datetime: formatDatetime(plan.time),
    site,
    folder,
    sourceDescription: site + SOURCE_DESCRIPTION,
    collections: plan.collections.map((work) => collectionResult(work, plan, settings)),
    documents,
    withheld,
    outside,
    stale,
    leftOut,
    unsourced: unsourced(inventory, plan, builder),
    notes: [
      ...firstNotes(recalled.kind === "unfinished", settings.first && !plan.first),
      ...plan.notes,
      ...inventoryNotes(inventory),
      ...(plan.first ? wellKnownNote(site) : []),
      ...missingFoldersNote(inventory.missing),
    ],
  };
}

/** The source of a page matters where its change is told: builders may have to look for it. */
function unsourced(
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
): CollectionResult {
  const own = new Set(derived.snapshot.map(({ url }) => url));
  return {
    url: collection.url,
    title: collection.title,
    feed: feed && collection.url + feed.file,
    changes: derived.changes,
    resources: derived.snapshot.length,
    unlogged,
    undated: plan.undated.filter((url) => own.has(url)),
  };
}

const NONE: Unlogged = { sameMarkup: 0, minor: 0 };
