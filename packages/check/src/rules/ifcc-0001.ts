import { urlKey } from "@rs-emit/documents";
import { isWellKnown } from "./descriptions.ts";
import type { SetRule } from "./publication.ts";
import {
  brief,
  entryLacks,
  entryLacksLink,
  headLacksLink,
  IFCC,
  IFCC_ONLY,
  once,
  type Rule,
} from "./rule.ts";

/** What IFCC-0001 requires beyond ResourceSync. */
export const IFCC_RULES: readonly Rule[] = [
  {
    id: "ifcc-well-known",
    why: "Feed readers and generators look there first, and find nothing.",
    cure: "Publish it there.",
    requirements: ["I8"],
    must: `${IFCC}, Source Descriptions`,
    profiles: IFCC_ONLY,
    kinds: ["source-description", "source-description-index"],
    head({ isGrouped, url }, report) {
      if (url === undefined || isGrouped || isWellKnown(url)) return;
      report("document", "Feed generators ask for /.well-known/resourcesync only.");
    },
  },
  {
    id: "ifcc-entry-describes",
    why: "A collection has no address of its own to show and to link.",
    cure: "Link describes.",
    requirements: ["I11"],
    must: `${IFCC}, Source Descriptions`,
    profiles: IFCC_ONLY,
    kinds: ["source-description"],
    ...entryLacksLink("describes", "The entry does not say which collection it is."),
  },
  {
    id: "ifcc-describes",
    why: "A collection has no address of its own to show and to link.",
    cure: "Link describes.",
    requirements: ["I18"],
    must: `${IFCC}, Capability Lists`,
    profiles: IFCC_ONLY,
    kinds: ["capability-list"],
    ...headLacksLink("describes", "The list does not say which collection it is of."),
  },
  {
    id: "ifcc-describes-once",
    why: "Two collections with one address become one feed, or neither.",
    cure: "Give each collection its own.",
    must: `${IFCC}, Source Descriptions (it identifies the collection)`,
    profiles: IFCC_ONLY,
    kinds: ["source-description"],
    ...once(
      ({ links }) => links?.find(({ rel }) => rel === "describes")?.href,
      "rs:ln rel=describes",
      (href) => `Another entry describes ${href}.`,
    ),
  },
  {
    id: "ifcc-change-list",
    why: "Feed generators follow exactly one log of a collection.",
    cure: "List exactly one.",
    requirements: ["I21"],
    must: `${IFCC}, Capability Lists`,
    profiles: IFCC_ONLY,
    kinds: ["capability-list"],
    series(_, report) {
      let count = 0;
      return {
        entry: ({ metadata }) => {
          if (metadata?.capability === "changelist") count += 1;
        },
        end: () => {
          if (count === 1) return;
          report("document", `It lists ${count} entries with changelist.`);
        },
      };
    },
  },
  {
    id: "ifcc-datetime",
    why: "Feed generators ignore a change without a time, so it is lost.",
    cure: "Add it.",
    requirements: ["I28"],
    must: `${IFCC}, Change Lists`,
    profiles: IFCC_ONLY,
    kinds: ["change-list"],
    ...entryLacks("datetime", "A change without datetime is ignored by feed generators."),
  },
];

/** What IFCC-0001 requires of documents together. */
export const IFCC_SET_RULES: readonly SetRule[] = [
  {
    id: "ifcc-describes-agree",
    why: "One collection appears under two addresses.",
    cure: "Make the two equal.",
    must: `${IFCC}, Source Descriptions and Capability Lists`,
    profiles: IFCC_ONLY,
    check(set, report) {
      for (const description of set.ofKind("source-description")) {
        for (const { loc, links } of description.document.entries) {
          const list = set.get(loc);
          const own = list?.link("describes");
          const stated = links?.find(({ rel }) => rel === "describes")?.href;
          if (list === undefined || own === undefined || stated === undefined) continue;
          if (urlKey(own) === urlKey(stated)) continue;
          const message = `${description.url} says this is ${brief(stated)}, not ${brief(own)}.`;
          report(list, "rs:ln rel=describes", message);
        }
      }
    },
  },
  {
    id: "ifcc-change-list-index",
    why: "A single list must drop old changes some day, and late followers never see them.",
    cure: "List a Change List Index.",
    requirements: ["I30"],
    should: `${IFCC}, Change Lists`,
    profiles: IFCC_ONLY,
    check(set, report) {
      for (const list of set.ofKind("capability-list")) {
        for (const [at, { loc, metadata }] of list.document.entries.entries()) {
          if (metadata?.capability !== "changelist") continue;
          if (set.get(loc)?.kind !== "change-list") continue;
          const message = "A single Change List grows or forgets.";
          report(list, `entry ${at + 1}, loc`, message);
        }
      }
    },
  },
];
