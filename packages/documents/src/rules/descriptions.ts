import {
  BOTH,
  brief,
  entryLacks,
  entryLacksLink,
  headLacksLink,
  notificationSection,
  type Rule,
  section,
} from "./rule.ts";

const WELL_KNOWN = "/.well-known/resourcesync";
/** Capabilities of the framework that no Capability List has; those of other specifications may be. */
const UNLISTED = ["description", "capabilitylist", "resourcedump-manifest", "changedump-manifest"];

/** Source Descriptions and Capability Lists. */
export const DESCRIPTION_RULES: readonly Rule[] = [
  {
    id: "well-known",
    requirements: ["R24b"],
    should: section("6.3.2"),
    kinds: ["source-description", "source-description-index"],
    head({ head, url }, report) {
      if (url === undefined || head.links.some(({ rel }) => rel === "index")) return;
      if (isWellKnown(url)) return;
      report("document", `A Source Description is looked for at ${WELL_KNOWN}. Publish it there.`);
    },
  },
  {
    id: "describedby",
    requirements: ["I13", "I19", "R59", "R67c"],
    should: `${section("8")} and ${section("9")}; IFCC-0001, Source Descriptions`,
    profiles: BOTH,
    kinds: ["source-description", "capability-list"],
    ...headLacksLink("describedby", "Nothing says what this is about. Link a description of it."),
  },
  {
    id: "entry-describedby",
    requirements: ["I12", "R60"],
    should: `${section("8")}; IFCC-0001, Source Descriptions`,
    profiles: BOTH,
    kinds: ["source-description"],
    ...entryLacksLink(
      "describedby",
      "Nothing says what this set is about. Link a description of it.",
    ),
  },
  {
    id: "description-entry",
    requirements: ["I10", "R23"],
    must: `${section("7")} and ${section("8")}`,
    profiles: BOTH,
    kinds: ["source-description"],
    entry({ metadata }, _, report) {
      if (metadata?.capability === "capabilitylist") return;
      report(
        "rs:md@capability",
        "The entry must say that it is a Capability List: capabilitylist.",
      );
    },
  },
  {
    id: "capability-entry",
    requirements: ["R67e", "R23"],
    must: section("9"),
    profiles: BOTH,
    kinds: ["capability-list"],
    ...entryLacks("capability", "The entry does not say which capability it is. Add capability."),
  },
  {
    id: "capability-entry-known",
    should: section("7"),
    kinds: ["capability-list"],
    entry({ metadata }, _, report) {
      const capability = metadata?.capability;
      if (capability === undefined || !UNLISTED.includes(capability)) return;
      report(
        "rs:md@capability",
        `A Capability List has no entry for a ${capability}. Leave it out.`,
      );
    },
  },
  {
    id: "capability-once",
    requirements: ["R65"],
    must: section("9"),
    kinds: ["capability-list"],
    series(_, report) {
      const seen = new Set<string>();
      return {
        entry: ({ metadata }) => {
          const capability = metadata?.capability;
          if (capability === undefined) return;
          if (seen.has(capability)) {
            report(
              "rs:md@capability",
              `${brief(capability)} is listed already. Group its lists in an index.`,
            );
          }
          seen.add(capability);
        },
      };
    },
  },
  {
    id: "hub",
    requirements: ["N30b"],
    must: notificationSection("5"),
    kinds: ["capability-list"],
    entry({ metadata, links }, _, report) {
      if (metadata?.capability !== "change-notification") return;
      if (links?.some(({ rel }) => rel === "hub")) return;
      report("rs:ln rel=hub", "Nobody can subscribe to a channel without its hub. Link the hub.");
    },
  },
  {
    id: "lastmod-omitted",
    requirements: ["R61", "R68a"],
    should: `${section("8")} and ${section("9")}`,
    kinds: ["source-description", "capability-list"],
    entry({ lastmod }, _, report) {
      if (lastmod === undefined) return;
      report(
        "lastmod",
        "It goes stale unless this document is updated with that one. Leave it out.",
      );
    },
  },
];

/** Whether a URL's path is the well-known one, at the host's root. */
export function isWellKnown(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname === WELL_KNOWN;
}
