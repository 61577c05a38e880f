import { kindOf } from "../kind.ts";
import { WRITE_LIMITS } from "../limits.ts";
import type { DocumentKind, Metadata } from "../model.ts";
import { BOTH, brief, notificationSection, RESOURCESYNC_ONLY, type Rule, section } from "./rule.ts";

const TABLE_3: readonly (keyof Metadata)[] = ["at", "capability", "completed", "from", "until"];

const LISTED_ONCE: readonly DocumentKind[] = [
  "source-description",
  "source-description-index",
  "resource-list",
  "resource-list-index",
  "resource-dump",
  "resource-dump-index",
  "change-list-index",
  "change-dump",
  "change-dump-index",
];

/** What every document must say of itself, and how much it may hold. */
export const DOCUMENT_RULES: readonly Rule[] = [
  {
    id: "capability",
    severity: "must",
    source: section("7"),
    profiles: BOTH,
    head({ head }, report) {
      if (head.metadata.capability !== undefined) return;
      report(
        "rs:md@capability",
        "The document does not say what it is. Add a capability to rs:md.",
      );
    },
  },
  {
    id: "capability-known",
    severity: "should",
    source: section("7"),
    profiles: RESOURCESYNC_ONLY,
    head({ head }, report) {
      const { capability } = head.metadata;
      if (capability === undefined || kindOf("urlset", capability) !== undefined) return;
      report(
        "rs:md@capability",
        `"${brief(capability)}" is no capability of the framework. Use one of its.`,
      );
    },
  },
  {
    id: "manifest-root",
    severity: "must",
    source: `${section("11.2")} and ${section("13.2")}`,
    profiles: RESOURCESYNC_ONLY,
    head({ head }, report) {
      if (head.root !== "sitemapindex" || !head.metadata.capability?.endsWith("-manifest")) return;
      report(
        "sitemapindex",
        "A manifest describes one package and has no index. Make it a urlset.",
      );
    },
  },
  {
    id: "notification-root",
    severity: "must",
    source: notificationSection("3"),
    profiles: RESOURCESYNC_ONLY,
    head({ head }, report) {
      if (head.root !== "sitemapindex") return;
      if (head.metadata.capability !== "change-notification") return;
      report("sitemapindex", "Change notifications have no index. Send several one after another.");
    },
  },
  {
    id: "capability-list-root",
    severity: "should",
    source: section("9"),
    profiles: BOTH,
    head({ head }, report) {
      if (head.root !== "sitemapindex" || head.metadata.capability !== "capabilitylist") return;
      report("sitemapindex", "A Capability List is short and has no index. Make it one urlset.");
    },
  },
  {
    id: "document-attributes",
    severity: "must",
    source: `${section("7")}, Table 3`,
    profiles: RESOURCESYNC_ONLY,
    head({ head }, report) {
      for (const [name, value] of Object.entries(head.metadata)) {
        if (value === undefined || name === "foreign" || TABLE_3.some((known) => known === name))
          continue;
        report(
          `rs:md@${name}`,
          `A document's own rs:md has no ${name}. Put it on an entry's rs:md.`,
        );
      }
    },
  },
  {
    id: "entries-limit",
    severity: "must",
    source: section("7"),
    profiles: RESOURCESYNC_ONLY,
    series(_, report) {
      let count = 0;
      return {
        entry: () => {
          count += 1;
        },
        end: () => {
          if (count <= WRITE_LIMITS.entries) return;
          const limit = WRITE_LIMITS.entries.toLocaleString("en");
          report("document", `There are more than ${limit} entries. Split them behind an index.`);
        },
      };
    },
  },
  {
    id: "entry-once",
    severity: "should",
    source: `${section("8")} and ${section("10.1")} to 13.1`,
    profiles: RESOURCESYNC_ONLY,
    kinds: LISTED_ONCE,
    series(_, report) {
      const seen = new Set<string>();
      return {
        entry: ({ loc }) => {
          if (seen.has(loc)) report("loc", `${brief(loc)} is listed already. List it once.`);
          // a document past the limit breaks another rule, and shall not fill the memory
          if (seen.size < WRITE_LIMITS.entries) seen.add(loc);
        },
      };
    },
  },
];
