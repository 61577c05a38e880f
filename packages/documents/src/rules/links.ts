import type { DocumentKind } from "../model.ts";
import { CHANGE_DOCUMENTS, SNAPSHOTS } from "./kinds.ts";
import { BOTH, brief, linkName, onLinks, RESOURCESYNC_ONLY, type Rule, section } from "./rule.ts";

const RELATION = /^[a-z][a-z0-9.-]*$/;
const HIGHEST_PRI = 999_999;
const UPWARD: readonly DocumentKind[] = ["capability-list", ...SNAPSHOTS, ...CHANGE_DOCUMENTS];

/** What every link needs, and the links that lead through the framework. */
export const LINK_RULES: readonly Rule[] = [
  {
    id: "rel",
    severity: "must",
    source: section("7"),
    profiles: RESOURCESYNC_ONLY,
    ...onLinks((link, report) => {
      if (RELATION.test(link.rel) || URL.canParse(link.rel)) return;
      const message = `"${brief(link.rel)}" is neither a registered relation nor a URI. Use one of those.`;
      report(linkName(link), message);
    }),
  },
  {
    id: "href",
    severity: "must",
    source: section("7"),
    profiles: RESOURCESYNC_ONLY,
    ...onLinks((link, report) => {
      if (URL.canParse(link.href)) return;
      const message = `"${brief(link.href)}" is no absolute URI. Write the link's target in full.`;
      report(`${linkName(link)}@href`, message);
    }),
  },
  {
    id: "pri",
    severity: "must",
    source: section("7"),
    profiles: RESOURCESYNC_ONLY,
    ...onLinks((link, report) => {
      const { pri } = link;
      if (pri === undefined) return;
      if (/^\d+$/.test(pri) && Number(pri) >= 1 && Number(pri) <= HIGHEST_PRI) return;
      const message = `"${brief(pri)}" is no priority. Write an integer from 1 (first) to ${HIGHEST_PRI}.`;
      report(`${linkName(link)}@pri`, message);
    }),
  },
  {
    id: "up",
    severity: "must",
    source: `${section("9")} to 13.2; IFCC-0001, Capability Lists and Change Lists`,
    profiles: BOTH,
    kinds: UPWARD,
    head({ head, kind }, report) {
      if (head.links.some(({ rel }) => rel === "up")) return;
      const target = kind === "capability-list" ? "Source Description" : "Capability List";
      report("rs:ln rel=up", `The document does not lead up. Add a link to its ${target}.`);
    },
  },
  {
    id: "navigation-once",
    severity: "should",
    source: section("6.2"),
    profiles: RESOURCESYNC_ONLY,
    head({ head }, report) {
      for (const name of ["up", "index"]) {
        if (head.links.filter(({ rel }) => rel === name).length < 2) continue;
        report(`rs:ln rel=${name}`, `There are several links ${name}. Keep the one that is right.`);
      }
    },
  },
  {
    id: "index-of-index",
    severity: "must",
    source: section("6.2"),
    profiles: RESOURCESYNC_ONLY,
    head({ head }, report) {
      if (head.root !== "sitemapindex" || !head.links.some(({ rel }) => rel === "index")) return;
      report("rs:ln rel=index", "An index does not lie under another index. Leave the link out.");
    },
  },
];
