import { urlKey } from "../../urls.ts";
import { brief, IFCC, IFCC_ONLY } from "../rule.ts";
import type { SetRule } from "./linked.ts";

/** What IFCC-0001 asks of documents together. */
export const IFCC_SET_RULES: readonly SetRule[] = [
  {
    id: "ifcc-describes-agree",
    severity: "must",
    source: `${IFCC}, Source Descriptions and Capability Lists`,
    profiles: IFCC_ONLY,
    check(set, report) {
      for (const description of set.ofKind("source-description")) {
        for (const { loc, links } of description.document.entries) {
          const list = set.get(loc);
          const own = list?.link("describes");
          const told = links?.find(({ rel }) => rel === "describes")?.href;
          if (list === undefined || own === undefined || told === undefined) continue;
          if (urlKey(own) === urlKey(told)) continue;
          const message = `${description.url} says this is ${brief(told)}, not ${brief(own)}. Make the two equal.`;
          report(list, "rs:ln rel=describes", message);
        }
      }
    },
  },
  {
    id: "ifcc-change-list-index",
    severity: "should",
    source: `${IFCC}, Change Lists`,
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
