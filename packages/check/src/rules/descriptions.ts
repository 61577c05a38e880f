import { EMIT, foreignValue, SOURCE_DESCRIPTION } from "@rs-emit/documents";
import {
  BOTH,
  entryLacks,
  headLacksLink,
  notificationSection,
  once,
  type Rule,
  section,
} from "./rule.ts";

const WELL_KNOWN = `/${SOURCE_DESCRIPTION}`;
/** Capabilities of the framework that belong in no Capability List; those of other specifications may. */
const UNLISTED = ["description", "capabilitylist", "resourcedump-manifest", "changedump-manifest"];

export const DESCRIPTION_RULES: readonly Rule[] = [
  {
    id: "description",
    why: "Programs that follow begin there, and find no collection.",
    cure: 'Write capability="description" on its own rs:md, and list the Capability Lists.',
    requirements: ["I9"],
    must: `${section("6.3.2")} and ${section("8")}; IFCC-0001, Source Descriptions`,
    profiles: BOTH,
    head({ kind, url }, report) {
      if (url === undefined || !url.endsWith(WELL_KNOWN)) return;
      if (kind?.startsWith("source-description")) return;
      report(
        "rs:md@capability",
        "The document at the well-known address is no Source Description.",
      );
    },
  },
  {
    id: "well-known",
    why: "Programs look there first, and find nothing.",
    cure: "Publish it there.",
    requirements: ["R24b"],
    should: section("6.3.2"),
    kinds: ["source-description", "source-description-index"],
    head({ isGrouped, url }, report) {
      if (url === undefined || isGrouped || isWellKnown(url)) return;
      report("document", `A Source Description is looked for at ${WELL_KNOWN}.`);
    },
  },
  {
    id: "describedby",
    why: "People who choose what to follow see an address instead of a title.",
    cure: "Link a description of it.",
    requirements: ["I13", "I19", "R59", "R67c"],
    should: `${section("8")} and ${section("9")}; IFCC-0001, Source Descriptions`,
    profiles: BOTH,
    kinds: ["source-description", "capability-list"],
    ...headLacksLink("describedby", "Nothing says what this is about."),
  },
  {
    id: "entry-describedby",
    why: "People who choose what to follow see an address instead of a title.",
    cure: "Link a description of it.",
    requirements: ["I12", "R60"],
    should: `${section("8")}; IFCC-0001, Source Descriptions`,
    profiles: BOTH,
    kinds: ["source-description"],
    entry({ metadata, links }, _, report) {
      // A collection that an option of rs-emit names is described where it is published.
      const isOther = foreignValue(metadata, EMIT, "option") !== undefined;
      if (isOther || links?.some(({ rel }) => rel === "describedby")) return;
      report("rs:ln rel=describedby", "Nothing says what this set is about.");
    },
  },
  {
    id: "description-entry",
    why: "Programs follow entries that are Capability Lists, and skip others.",
    cure: "Give it the capability capabilitylist.",
    requirements: ["I10", "R23"],
    must: `${section("7")} and ${section("8")}`,
    profiles: BOTH,
    kinds: ["source-description"],
    entry({ metadata }, _, report) {
      if (metadata?.capability === "capabilitylist") return;
      report("rs:md@capability", "The entry does not say that it is a Capability List.");
    },
  },
  {
    id: "capability-entry",
    why: "Programs choose a list by its capability, and skip this one.",
    cure: "Add capability.",
    requirements: ["R67e", "R23"],
    must: section("9"),
    profiles: BOTH,
    kinds: ["capability-list"],
    ...entryLacks("capability", "The entry does not say which capability it is."),
  },
  {
    id: "capability-entry-known",
    why: "A capability that nobody knows is used by nobody.",
    cure: "Leave it out.",
    should: section("7"),
    kinds: ["capability-list"],
    entry({ metadata }, _, report) {
      const capability = metadata?.capability;
      if (capability === undefined || !UNLISTED.includes(capability)) return;
      report("rs:md@capability", `A Capability List has no entry for a ${capability}.`);
    },
  },
  {
    id: "capability-once",
    why: "Programs read one of the two, and the changes in the other are lost.",
    cure: "Group its lists in an index.",
    requirements: ["R65"],
    must: section("9"),
    kinds: ["capability-list"],
    ...once(
      ({ metadata }) => metadata?.capability,
      "rs:md@capability",
      (capability) => `${capability} is listed already.`,
    ),
  },
  {
    id: "hub",
    why: "Nobody can ask for notifications.",
    cure: "Link the hub.",
    requirements: ["N30b"],
    must: notificationSection("5"),
    kinds: ["capability-list"],
    entry({ metadata, links }, _, report) {
      if (metadata?.capability !== "change-notification") return;
      if (links?.some(({ rel }) => rel === "hub")) return;
      report("rs:ln rel=hub", "Nobody can subscribe to a channel without its hub.");
    },
  },
  {
    id: "lastmod-omitted",
    why: "A follower that trusts a stale lastmod does not look at the list again.",
    cure: "Leave it out.",
    requirements: ["R61", "R68a"],
    should: `${section("8")} and ${section("9")}`,
    kinds: ["source-description", "capability-list"],
    entry({ lastmod }, _, report) {
      if (lastmod === undefined) return;
      report("lastmod", "It goes stale unless this document is updated with that one.");
    },
  },
];

/** Whether a URL's path is the well-known one, at the host's root. */
export function isWellKnown(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname === WELL_KNOWN;
}
