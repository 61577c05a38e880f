import { WRITE_LIMITS } from "../limits.ts";
import type { DocumentKind, Entry, Metadata } from "../model.ts";
import { RESOURCESYNC } from "../namespaces.ts";
import { FREQUENCIES } from "../write/values.ts";
import {
  BOTH,
  brief,
  headLacks,
  notificationSection,
  type Report,
  type Rule,
  section,
} from "./rule.ts";

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
    requirements: [
      "I9",
      "I20",
      "I25a",
      "R36",
      "R67a",
      "R70a",
      "R74b",
      "R76a",
      "R82a",
      "R85a",
      "R93a",
      "R95a",
      "R100a",
      "N7a",
    ],
    must: section("7"),
    profiles: BOTH,
    ...headLacks("capability", "The document does not say what it is. Add a capability to rs:md."),
  },
  {
    id: "manifest-root",
    must: `${section("11.2")} and ${section("13.2")}`,
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
    requirements: ["N13"],
    must: notificationSection("3"),
    head({ head }, report) {
      if (head.root !== "sitemapindex") return;
      if (head.metadata.capability !== "change-notification") return;
      report("sitemapindex", "Change notifications have no index. Send several one after another.");
    },
  },
  {
    id: "capability-list-root",
    requirements: ["R68b"],
    should: section("9"),
    profiles: BOTH,
    head({ head }, report) {
      if (head.root !== "sitemapindex" || head.metadata.capability !== "capabilitylist") return;
      report("sitemapindex", "A Capability List is short and has no index. Make it one urlset.");
    },
  },
  {
    id: "document-attributes",
    should: `${section("7")}, Table 3`,
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
    id: "attribute-prefix",
    requirements: ["R34", "R35"],
    must: section("7"),
    head({ head }, report) {
      reportPrefixed(head, report);
    },
    entry(entry, _, report) {
      reportPrefixed(entry, report);
    },
  },
  {
    id: "entries-limit",
    requirements: ["R33a"],
    must: section("7"),
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
    should: `${section("8")} and ${section("10.1")} to 13.1`,
    kinds: LISTED_ONCE,
    series(_, report) {
      const seen = new Set<string>();
      return {
        entry: ({ loc }) => {
          if (seen.has(loc)) report("loc", `${brief(loc)} is listed already. List it once.`);
          // A document past the limit breaks another rule; this bounds the memory of its URLs.
          if (seen.size < WRITE_LIMITS.entries) seen.add(loc);
        },
      };
    },
  },
];

function reportPrefixed(
  { metadata, links = [] }: Pick<Entry, "metadata" | "links">,
  report: Report,
) {
  for (const { foreign = [] } of [metadata ?? {}, ...links]) {
    for (const { namespace, name } of foreign) {
      if (namespace !== RESOURCESYNC) continue;
      report(
        `@rs:${name}`,
        `Attributes of ResourceSync have no prefix. Write ${brief(name)}, or use another namespace.`,
      );
    }
  }
}

const SITEMAP_PROTOCOL = "Sitemap protocol";
const LONGEST_LOC = 2047;

export const ENTRY_RULES: readonly Rule[] = [
  {
    id: "loc",
    requirements: [
      "R43",
      "R67d",
      "R70d",
      "R74e",
      "R76f",
      "R82d",
      "R86a",
      "R93d",
      "R95e",
      "R100g",
      "N11a",
      "T13b",
    ],
    must: section("7"),
    entry({ loc }, _, report) {
      if (loc === "") report("loc", "The entry names no resource. Add its URI as loc.");
      else if (!URL.canParse(loc))
        report("loc", `"${brief(loc)}" is no absolute URI. Write it in full.`);
    },
  },
  {
    id: "loc-http",
    should: `${section("6.1")} (it is to be dereferenced)`,
    entry({ loc }, _, report) {
      if (!URL.canParse(loc) || /^https?:/i.test(loc)) return;
      report("loc", `${brief(loc)} cannot be fetched over HTTP. Use an http or https URI.`);
    },
  },
  {
    id: "loc-length",
    requirements: ["T13a"],
    must: `${SITEMAP_PROTOCOL}, loc`,
    entry({ loc }, _, report) {
      if (loc.length <= LONGEST_LOC) return;
      report(
        "loc",
        `The URI has ${loc.length} characters; ${LONGEST_LOC} are allowed. Shorten it.`,
      );
    },
  },
  {
    id: "changefreq",
    must: section("7"),
    entry({ changefreq }, _, report) {
      if (changefreq === undefined || FREQUENCIES.includes(changefreq)) return;
      report(
        "changefreq",
        `"${brief(changefreq)}" is none of ${FREQUENCIES.join(", ")}. Use one of them.`,
      );
    },
  },
  {
    id: "priority",
    must: `${SITEMAP_PROTOCOL}, priority`,
    entry({ priority }, _, report) {
      if (priority === undefined || /^(0(\.\d+)?|1(\.0+)?)$/.test(priority)) return;
      report(
        "priority",
        `"${brief(priority)}" is no number from 0.0 to 1.0. Write one or leave it out.`,
      );
    },
  },
];
