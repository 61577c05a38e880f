import type { Capability, DocumentKind, Root } from "./model.ts";

const URLSETS: Record<Capability, DocumentKind> = {
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

const INDEXES: Partial<Record<Capability, DocumentKind>> = {
  description: "source-description-index",
  resourcelist: "resource-list-index",
  changelist: "change-list-index",
  resourcedump: "resource-dump-index",
  changedump: "change-dump-index",
};

/**
 * The kind of a document, told by its root and its capability, never by name or Content-Type.
 *
 * @returns the kind, or `undefined` where the framework knows none (a plain sitemap, say)
 */
export function kindOf(root: Root, capability: string | undefined): DocumentKind | undefined {
  const kinds: Partial<Record<string, DocumentKind>> = root === "urlset" ? URLSETS : INDEXES;
  return capability !== undefined && Object.hasOwn(kinds, capability)
    ? kinds[capability]
    : undefined;
}
