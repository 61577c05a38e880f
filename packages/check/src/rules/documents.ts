import {
  type DocumentKind,
  type Entry,
  FREQUENCIES,
  type Metadata,
  numeral,
  RESOURCESYNC,
  WRITE_LIMITS,
} from "@rs-emit/documents";
import {
  BOTH,
  brief,
  headLacks,
  notificationSection,
  onMetadata,
  type ReportFinding,
  type Rule,
  section,
} from "./rule.ts";

/** Those of ResourceSync 1.1, of its notifications, and of its archives. */
const CAPABILITIES: readonly string[] = [
  "description",
  "capabilitylist",
  "resourcelist",
  "changelist",
  "resourcedump",
  "changedump",
  "resourcedump-manifest",
  "changedump-manifest",
  "change-notification",
  "framework-notification",
  "resourcelist-archive",
  "changelist-archive",
  "resourcedump-archive",
  "changedump-archive",
];

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

/** What the head of every document must contain, and the size of documents. */
export const DOCUMENT_RULES: readonly Rule[] = [
  {
    id: "capability",
    why: "Programs know a document by its capability. Without one they skip it.",
    cure: "Add a capability to rs:md.",
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
    ...headLacks("capability", "The document does not say what it is."),
  },
  {
    id: "capability-known",
    why: "Programs know a document by its capability. One that they do not know they skip.",
    cure: "Write one that ResourceSync has, such as resourcelist or changelist.",
    should: section("7"),
    ...onMetadata(({ capability }, report) => {
      if (capability === undefined || CAPABILITIES.includes(capability)) return;
      report("rs:md@capability", `"${brief(capability)}" is no capability of ResourceSync.`);
    }),
  },
  {
    id: "modified-place",
    why: "Programs do not look for it there, so what it says is lost.",
    cure: "Write it as lastmod, or on the rs:ln of another representation.",
    should: `${section("7")}, Table 3`,
    entry({ metadata }, _, report) {
      if (metadata?.modified === undefined) return;
      report("rs:md@modified", "An entry's rs:md has no modified.");
    },
  },
  {
    id: "manifest-root",
    why: "A program that unpacks a package expects one list of what is in it.",
    cure: "Make it a urlset.",
    must: `${section("11.2")} and ${section("13.2")}`,
    head({ head }, report) {
      if (head.root !== "sitemapindex" || !head.metadata.capability?.endsWith("-manifest")) return;
      report("sitemapindex", "A manifest describes one package and has no index.");
    },
  },
  {
    id: "notification-root",
    why: "A receiver takes a notification as one list of changes.",
    cure: "Send several one after another.",
    requirements: ["N13"],
    must: notificationSection("3"),
    head({ head }, report) {
      if (head.root !== "sitemapindex") return;
      if (head.metadata.capability !== "change-notification") return;
      report("sitemapindex", "Change notifications have no index.");
    },
  },
  {
    id: "capability-list-root",
    why: "Programs read one Capability List, and may not follow an index of them.",
    cure: "Make it one urlset.",
    requirements: ["R68b"],
    should: section("9"),
    profiles: BOTH,
    head({ head }, report) {
      if (head.root !== "sitemapindex" || head.metadata.capability !== "capabilitylist") return;
      report("sitemapindex", "A Capability List is short and has no index.");
    },
  },
  {
    id: "document-attributes",
    why: "It has no meaning there, so what it says is lost.",
    cure: "Put it on an entry's rs:md.",
    should: `${section("7")}, Table 3`,
    head({ head }, report) {
      for (const [name, value] of Object.entries(head.metadata)) {
        if (value === undefined || name === "foreign" || TABLE_3.some((known) => known === name))
          continue;
        report(`rs:md@${name}`, `A document's own rs:md has no ${name}.`);
      }
    },
  },
  {
    id: "attribute-prefix",
    why: "Programs that know the attribute by its namespace do not see it.",
    cure: "Write its name without a prefix, or use another namespace.",
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
    why: "Programs stop reading at 50,000 entries, and what follows is lost.",
    cure: "Split them behind an index.",
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
          const limit = numeral(WRITE_LIMITS.entries);
          report("document", `There are more than ${limit} entries.`);
        },
      };
    },
  },
  {
    id: "entry-once",
    why: "Which of the entries counts is left to chance.",
    cure: "List it once.",
    should: `${section("8")} and ${section("10.1")} to 13.1`,
    kinds: LISTED_ONCE,
    series(_, report) {
      const seen = new Set<string>();
      return {
        entry: ({ loc }) => {
          if (seen.has(loc)) report("loc", `${brief(loc)} is listed already.`);
          // A document beyond the limit breaks another rule; this limits the memory for its URLs.
          if (seen.size < WRITE_LIMITS.entries) seen.add(loc);
        },
      };
    },
  },
];

function reportPrefixed(
  { metadata, links = [] }: Pick<Entry, "metadata" | "links">,
  report: ReportFinding,
) {
  for (const { foreign = [] } of [metadata ?? {}, ...links]) {
    for (const { namespace, name } of foreign) {
      if (namespace !== RESOURCESYNC) continue;
      report(`@rs:${brief(name)}`, "Attributes of ResourceSync have no prefix.");
    }
  }
}

const SITEMAP_PROTOCOL = "Sitemap protocol";
const LONGEST_LOC = 2047;

export const ENTRY_RULES: readonly Rule[] = [
  {
    id: "loc",
    why: "An entry without an absolute URI is about nothing that can be fetched.",
    cure: "Write its URI as loc, in full.",
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
      if (loc === "") report("loc", "The entry names no resource.");
      else if (!URL.canParse(loc)) report("loc", `"${brief(loc)}" is no absolute URI.`);
    },
  },
  {
    id: "loc-http",
    why: "Programs that follow fetch over HTTP, and skip all else.",
    cure: "Use an http or https URI.",
    should: `${section("6.1")} (it is to be dereferenced)`,
    entry({ loc }, _, report) {
      if (!URL.canParse(loc) || /^https?:/i.test(loc)) return;
      report("loc", `${brief(loc)} cannot be fetched over HTTP.`);
    },
  },
  {
    id: "loc-length",
    why: "Programs cut or refuse longer URIs.",
    cure: "Shorten it.",
    requirements: ["T13a"],
    must: `${SITEMAP_PROTOCOL}, loc`,
    entry({ loc }, _, report) {
      if (loc.length <= LONGEST_LOC) return;
      report("loc", `The URI has ${loc.length} characters; ${LONGEST_LOC} are allowed.`);
    },
  },
  {
    id: "changefreq",
    why: "A strict reader refuses the whole document.",
    cure: "Use one of them.",
    must: section("7"),
    entry({ changefreq }, _, report) {
      if (changefreq === undefined || FREQUENCIES.includes(changefreq)) return;
      report("changefreq", `"${brief(changefreq)}" is none of ${FREQUENCIES.join(", ")}.`);
    },
  },
  {
    id: "priority",
    why: "A strict reader refuses the whole document.",
    cure: "Write one or leave it out.",
    must: `${SITEMAP_PROTOCOL}, priority`,
    entry({ priority }, _, report) {
      if (priority === undefined || /^(0(\.\d+)?|1(\.0+)?)$/.test(priority)) return;
      report("priority", `"${brief(priority)}" is no number from 0.0 to 1.0.`);
    },
  },
];
