import type { DocumentKind } from "../../model.ts";
import { INDEXES } from "../kinds.ts";
import { RESOURCESYNC_ONLY, section } from "../rule.ts";
import type { LinkedSet, Member, SetRule } from "./linked.ts";

const UNLISTED: readonly DocumentKind[] = [
  "resource-dump-manifest",
  "change-dump-manifest",
  "change-notification",
];

/** Whether ways up and ways down agree. */
export const NAVIGATION_RULES: readonly SetRule[] = [
  {
    id: "up-lists",
    severity: "must",
    source: `${section("6.2")}, 8 and 9`,
    profiles: RESOURCESYNC_ONLY,
    check(set, report) {
      for (const member of set.members) {
        const parent = set.get(member.link("up"));
        if (parent === undefined || member.kind === undefined) continue;
        if (UNLISTED.includes(member.kind) || lists(set, parent, member)) continue;
        report(
          member,
          "rs:ln rel=up",
          `${parent.url} does not list this document. Add an entry there.`,
        );
      }
    },
  },
  {
    id: "descriptions-grouped",
    severity: "must",
    source: section("8"),
    profiles: RESOURCESYNC_ONLY,
    check(set, report) {
      const indexes = set.ofKind("source-description-index");
      const first = new Map<string | undefined, Member>();
      for (const member of set.ofKind("source-description")) {
        if (indexes.some((index) => index.entryOf(member.url) !== undefined)) continue;
        const other = first.get(member.host);
        if (other === undefined) first.set(member.host, member);
        else
          report(member, "document", `${other.url} is one too. Group the two in a sitemapindex.`);
      }
    },
  },
];

/** Whether a parent lists a document, or an index the document lies under, or does so by parts. */
function lists(set: LinkedSet, parent: Member, member: Member): boolean {
  if (parent.entryOf(member.url) !== undefined) return true;
  const index = member.link("index");
  if (index !== undefined && parent.entryOf(index) !== undefined) return true;
  if (parent.kind !== "source-description-index") return listedByIndex(set, parent, member);
  return parent.document.entries.some(({ loc }) => set.get(loc)?.entryOf(member.url) !== undefined);
}

/** Whether an index that a parent lists has the document, though the document does not say so. */
function listedByIndex(set: LinkedSet, parent: Member, member: Member): boolean {
  return set
    .ofKind(...INDEXES)
    .some(
      (index) => index.entryOf(member.url) !== undefined && parent.entryOf(index.url) !== undefined,
    );
}
