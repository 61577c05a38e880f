import { brief, RESOURCESYNC_ONLY, type Rule, section } from "./rule.ts";

const FREQUENCIES = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];
const SITEMAP_PROTOCOL = "Sitemap protocol";
const LONGEST_LOC = 2047;

/** The elements that entries take over from the Sitemap protocol. */
export const ENTRY_RULES: readonly Rule[] = [
  {
    id: "loc",
    severity: "must",
    source: section("7"),
    profiles: RESOURCESYNC_ONLY,
    entry({ loc }, _, report) {
      if (loc === "") report("loc", "The entry names no resource. Add its URI as loc.");
      else if (!URL.canParse(loc))
        report("loc", `"${brief(loc)}" is no absolute URI. Write it in full.`);
    },
  },
  {
    id: "loc-http",
    severity: "should",
    source: `${section("6.1")} (it is to be dereferenced)`,
    profiles: RESOURCESYNC_ONLY,
    entry({ loc }, _, report) {
      if (!URL.canParse(loc) || /^https?:/i.test(loc)) return;
      report("loc", `${brief(loc)} cannot be fetched over HTTP. Use an http or https URI.`);
    },
  },
  {
    id: "loc-length",
    severity: "must",
    source: `${SITEMAP_PROTOCOL}, loc`,
    profiles: RESOURCESYNC_ONLY,
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
    severity: "must",
    source: section("7"),
    profiles: RESOURCESYNC_ONLY,
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
    severity: "must",
    source: `${SITEMAP_PROTOCOL}, priority`,
    profiles: RESOURCESYNC_ONLY,
    entry({ priority }, _, report) {
      if (priority === undefined || /^(0(\.\d+)?|1(\.0+)?)$/.test(priority)) return;
      report(
        "priority",
        `"${brief(priority)}" is no number from 0.0 to 1.0. Write one or leave it out.`,
      );
    },
  },
];
