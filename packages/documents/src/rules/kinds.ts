import type { DocumentKind } from "../model.ts";

/** Documents that show the state of resources at one time. */
export const SNAPSHOTS: readonly DocumentKind[] = [
  "resource-list",
  "resource-list-index",
  "resource-dump",
  "resource-dump-index",
  "resource-dump-manifest",
];

/** Pulled documents that tell what happened in an interval. */
export const CHANGE_DOCUMENTS: readonly DocumentKind[] = [
  "change-list",
  "change-list-index",
  "change-dump",
  "change-dump-index",
  "change-dump-manifest",
];

/** Documents whose every entry is a change. */
export const CHANGES: readonly DocumentKind[] = [
  "change-list",
  "change-dump-manifest",
  "change-notification",
];

/** Documents whose entries point at packages. */
export const DUMPS: readonly DocumentKind[] = ["resource-dump", "change-dump"];

/** Documents that say what a package holds. */
export const MANIFESTS: readonly DocumentKind[] = [
  "resource-dump-manifest",
  "change-dump-manifest",
];

/** Documents whose entries, or the lists behind them, follow each other in time. */
export const TIMELINES: readonly DocumentKind[] = [
  "change-list-index",
  "change-dump",
  "change-dump-index",
];

/** Documents that group others. */
export const INDEXES: readonly DocumentKind[] = [
  "source-description-index",
  "resource-list-index",
  "resource-dump-index",
  "change-list-index",
  "change-dump-index",
];

/** Each index, and the documents it groups. */
export const GROUPED: Partial<Record<DocumentKind, DocumentKind>> = {
  "source-description-index": "source-description",
  "resource-list-index": "resource-list",
  "resource-dump-index": "resource-dump",
  "change-list-index": "change-list",
  "change-dump-index": "change-dump",
};
