import { urlKey } from "../urls.ts";
import { isWellKnown } from "./descriptions.ts";
import type { SetRule } from "./publication.ts";
import {
  brief,
  entryLacks,
  entryLacksLink,
  headLacksLink,
  IFCC,
  IFCC_ONLY,
  type Rule,
} from "./rule.ts";

/** What IFCC-0001 asks for beyond ResourceSync. */
export const IFCC_RULES: readonly Rule[] = [
  {
    id: "ifcc-well-known",
    requirements: ["I8"],
    must: `${IFCC}, Source Descriptions`,
    profiles: IFCC_ONLY,
    kinds: ["source-description", "source-description-index"],
    head({ head, url }, report) {
      if (url === undefined || head.links.some(({ rel }) => rel === "index")) return;
      if (isWellKnown(url)) return;
      report(
        "document",
        "Feed generators ask for /.well-known/resourcesync only. Publish it there.",
      );
    },
  },
  {
    id: "ifcc-entry-describes",
    requirements: ["I11"],
    must: `${IFCC}, Source Descriptions`,
    profiles: IFCC_ONLY,
    kinds: ["source-description"],
    ...entryLacksLink(
      "describes",
      "The entry does not say which collection it is. Link describes.",
    ),
  },
  {
    id: "ifcc-describes",
    requirements: ["I18"],
    must: `${IFCC}, Capability Lists`,
    profiles: IFCC_ONLY,
    kinds: ["capability-list"],
    ...headLacksLink(
      "describes",
      "The list does not say which collection it is of. Link describes.",
    ),
  },
  {
    id: "ifcc-describes-once",
    must: `${IFCC}, Source Descriptions (it identifies the collection)`,
    profiles: IFCC_ONLY,
    kinds: ["source-description"],
    series(_, report) {
      const seen = new Set<string>();
      return {
        entry: ({ links }) => {
          const href = links?.find(({ rel }) => rel === "describes")?.href;
          if (href === undefined) return;
          if (seen.has(href)) {
            report(
              "rs:ln rel=describes",
              `Another entry describes ${brief(href)}. Give each collection its own.`,
            );
          }
          seen.add(href);
        },
      };
    },
  },
  {
    id: "ifcc-change-list",
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
          report("document", `It lists ${count} entries with changelist. List exactly one.`);
        },
      };
    },
  },
  {
    id: "ifcc-datetime",
    requirements: ["I28"],
    must: `${IFCC}, Change Lists`,
    profiles: IFCC_ONLY,
    kinds: ["change-list"],
    ...entryLacks("datetime", "A change without datetime is ignored by feed generators. Add it."),
  },
];

/** What IFCC-0001 asks of documents together. */
export const IFCC_SET_RULES: readonly SetRule[] = [
  {
    id: "ifcc-describes-agree",
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
          const message = `${description.url} says this is ${brief(stated)}, not ${brief(own)}. Make the two equal.`;
          report(list, "rs:ln rel=describes", message);
        }
      }
    },
  },
  {
    id: "ifcc-change-list-index",
    requirements: ["I30"],
    should: `${IFCC}, Change Lists`,
    profiles: IFCC_ONLY,
    check(set, report) {
      for (const list of set.ofKind("capability-list")) {
        for (const [at, { loc, metadata }] of list.document.entries.entries()) {
          if (metadata?.capability !== "changelist") continue;
          if (set.get(loc)?.kind !== "change-list") continue;
          const message = "A single Change List grows or forgets. List a Change List Index.";
          report(list, `entry ${at + 1}, loc`, message);
        }
      }
    },
  },
];
