import type { DocumentKind } from "@rs-emit/documents";

/** Documents with the state of resources at one time. */
export const SNAPSHOTS: readonly DocumentKind[] = [
  "resource-list",
  "resource-list-index",
  "resource-dump",
  "resource-dump-index",
  "resource-dump-manifest",
];

/** Documents that list the changes of an interval, without notifications. */
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

export const DUMPS: readonly DocumentKind[] = ["resource-dump", "change-dump"];

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
