import {
  type DocumentKind,
  type Entry,
  groupedBy,
  INDEXES,
  indexOf,
  kindOf,
  type ParsedDocument,
} from "@rs-emit/documents";
import type { LinkedSet, Member, SetRule } from "./publication.ts";
import { BOTH, brief, section } from "./rule.ts";

/** A link of the framework from one document to another. */
export interface DocumentReference {
  readonly where: string;
  readonly href: string;
  /** What its target may be. */
  readonly kinds: readonly DocumentKind[];
  /** Whether the link is broken if the publication lacks its target: a channel need not have a document. */
  readonly needed: boolean;
  /** The entry whose loc it is. */
  readonly entry?: Entry;
}

/** The targets of the framework's links. */
export const REFERENCE_RULES: readonly SetRule[] = [
  {
    id: "target-kind",
    why: "A program that follows the link finds something else than it was promised.",
    cure: "Correct one of them.",
    requirements: ["I16", "I23", "R23"],
    must: `${section("6.1")} and 6.2; IFCC-0001, Capability Lists and Change Lists`,
    profiles: BOTH,
    check(set, report) {
      for (const [member, { where, href, kinds }] of references(set)) {
        const target = set.get(href);
        if (target === undefined) continue;
        if (target.kind !== undefined && kinds.includes(target.kind)) continue;
        const found = target.kind ?? "unknown document";
        report(member, where, `${brief(href)} is a ${found}, not a ${kinds.join(" or ")}.`);
      }
    },
  },
  {
    id: "target-missing",
    why: "A program that follows the link finds nothing, and what is there is lost.",
    cure: "Publish it, or correct the URL.",
    must: `${section("6.1")} and 6.2`,
    check(set, report) {
      if (!set.complete) return;
      for (const [member, { where, href, needed }] of references(set)) {
        if (!needed || set.get(href) !== undefined) continue;
        report(member, where, `There is no document at ${brief(href)}.`);
      }
    },
  },
];

function* references(set: LinkedSet): Iterable<readonly [Member, DocumentReference]> {
  for (const member of set.members) {
    for (const one of referencesIn(member.kind, member.document)) yield [member, one];
  }
}

/** In the order of the document. */
export function* referencesIn(
  kind: DocumentKind | undefined,
  { links, entries }: Pick<ParsedDocument, "links" | "entries">,
): Iterable<DocumentReference> {
  const parents: readonly DocumentKind[] =
    kind === "capability-list"
      ? ["source-description", "source-description-index"]
      : ["capability-list"];
  const up = links.find(({ rel }) => rel === "up")?.href;
  if (up !== undefined && kind !== undefined && !kind.startsWith("source-description")) {
    yield { where: "rs:ln rel=up", href: up, kinds: parents, needed: true };
  }
  const index = links.find(({ rel }) => rel === "index")?.href;
  const group = indexOf(kind);
  if (index !== undefined && group !== undefined) {
    yield { where: "rs:ln rel=index", href: index, kinds: [group], needed: true };
  }
  for (const [at, entry] of entries.entries()) {
    const kinds = entryKinds(kind, entry.metadata?.capability);
    const needed = entry.metadata?.capability !== "change-notification";
    const where = `entry ${at + 1}, loc`;
    if (kinds.length > 0) yield { where, href: entry.loc, kinds, needed, entry };
    if (kind !== "resource-dump" && kind !== "change-dump") continue;
    const href = entry.links?.find(({ rel }) => rel === "contents")?.href;
    const place = `entry ${at + 1}, rs:ln rel=contents`;
    if (href !== undefined)
      yield { where: place, href, kinds: [`${kind}-manifest`], needed: false };
  }
}

function entryKinds(
  kind: DocumentKind | undefined,
  capability: string | undefined,
): readonly DocumentKind[] {
  if (kind === undefined) return [];
  const grouped = groupedBy(kind);
  if (grouped !== undefined) return [grouped];
  if (kind === "source-description") return ["capability-list"];
  if (kind !== "capability-list") return [];
  return [kindOf("urlset", capability), kindOf("sitemapindex", capability)].filter(
    (expected) => expected !== undefined,
  );
}

const UNLISTED: readonly DocumentKind[] = [
  "resource-dump-manifest",
  "change-dump-manifest",
  "change-notification",
];

/** Whether links up and links down agree. */
export const NAVIGATION_RULES: readonly SetRule[] = [
  {
    id: "up-lists",
    why: "Who begins at the top never comes to this document.",
    cure: "Add an entry there.",
    requirements: ["R58", "R21"],
    must: `${section("6.2")}, 8 and 9`,
    check(set, report) {
      for (const member of set.members) {
        const parent = set.get(member.link("up"));
        if (parent === undefined || member.kind === undefined) continue;
        if (UNLISTED.includes(member.kind) || lists(set, parent, member)) continue;
        report(member, "rs:ln rel=up", `${parent.url} does not list this document.`);
      }
    },
  },
  {
    id: "descriptions-grouped",
    why: "Programs read one of them, and never learn of the other.",
    cure: "Group the two in a sitemapindex.",
    requirements: ["R62"],
    must: section("8"),
    check(set, report) {
      const indexes = set.ofKind("source-description-index");
      const first = new Map<string | undefined, Member>();
      for (const member of set.ofKind("source-description")) {
        if (indexes.some((index) => index.lists(member.url))) continue;
        const other = first.get(member.host);
        if (other === undefined) first.set(member.host, member);
        else report(member, "document", `${other.url} is one too.`);
      }
    },
  },
];

/** Whether a parent lists a document, an index above it, or its parts. */
function lists(set: LinkedSet, parent: Member, member: Member): boolean {
  if (parent.lists(member.url)) return true;
  const index = member.link("index");
  if (index !== undefined && parent.lists(index)) return true;
  if (parent.kind !== "source-description-index") return listedByIndex(set, parent, member);
  return parent.document.entries.some(({ loc }) => set.get(loc)?.lists(member.url));
}

/** Whether an index in the parent lists the document, though the document does not name the index. */
function listedByIndex(set: LinkedSet, parent: Member, member: Member): boolean {
  return set.ofKind(...INDEXES).some((index) => index.lists(member.url) && parent.lists(index.url));
}
