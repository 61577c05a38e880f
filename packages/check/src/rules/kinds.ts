import { DOCUMENT_KINDS, type DocumentKind, REQUIREMENTS } from "@rs-emit/documents";

/** Documents with the state of resources at one time. */
export const SNAPSHOTS = DOCUMENT_KINDS.filter((kind) => REQUIREMENTS[kind].head.includes("at"));

/** Documents that list the changes of an interval, without notifications. */
export const CHANGE_DOCUMENTS = DOCUMENT_KINDS.filter(
  (kind) => REQUIREMENTS[kind].head.includes("from") && kind !== "change-notification",
);

/** Documents whose every entry is a change. */
export const CHANGES = DOCUMENT_KINDS.filter((kind) => REQUIREMENTS[kind].entry.includes("change"));

export const DUMPS: readonly DocumentKind[] = ["resource-dump", "change-dump"];

export const MANIFESTS = DOCUMENT_KINDS.filter((kind) => kind.endsWith("-manifest"));

/** Documents whose entries, or the lists behind them, follow each other in time. */
export const TIMELINES: readonly DocumentKind[] = [
  "change-list-index",
  "change-dump",
  "change-dump-index",
];
