import type { Capability, ChangeKind, DocumentKind, Root } from "./model.ts";

const KINDS: Record<Capability, DocumentKind> = {
  description: "source-description",
  capabilitylist: "capability-list",
  resourcelist: "resource-list",
  changelist: "change-list",
  resourcedump: "resource-dump",
  changedump: "change-dump",
  "resourcedump-manifest": "resource-dump-manifest",
  "changedump-manifest": "change-dump-manifest",
  "change-notification": "change-notification",
};

const INDEX_OF: ReadonlyMap<DocumentKind | undefined, DocumentKind> = new Map([
  ["source-description", "source-description-index"],
  ["resource-list", "resource-list-index"],
  ["resource-dump", "resource-dump-index"],
  ["change-list", "change-list-index"],
  ["change-dump", "change-dump-index"],
]);

const GROUPED_BY = new Map([...INDEX_OF].map(([list, index]) => [index, list]));

/** Root and capability decide, never name or Content-Type; `undefined` for a plain sitemap. */
export function kindOf(root: Root, capability: string | undefined): DocumentKind | undefined {
  const kinds: Partial<Record<string, DocumentKind>> = KINDS;
  const isKnown = capability !== undefined && Object.hasOwn(KINDS, capability);
  const kind = isKnown ? kinds[capability] : undefined;
  return root === "urlset" ? kind : indexOf(kind);
}

export const INDEXES: readonly DocumentKind[] = [...INDEX_OF.values()];

export const DOCUMENT_KINDS: readonly DocumentKind[] = [...Object.values(KINDS), ...INDEXES];

export function indexOf(kind: DocumentKind | undefined): DocumentKind | undefined {
  return INDEX_OF.get(kind);
}

export function groupedBy(index: DocumentKind): DocumentKind | undefined {
  return GROUPED_BY.get(index);
}

/** Whether a value of the attribute `change` is one of the three that section 7 knows. */
export function isChangeKind(change: string | undefined): change is ChangeKind {
  return change === "created" || change === "updated" || change === "deleted";
}
