import { type DocumentKind, type Entry, isRelation, type Link } from "@rs-emit/documents";
import { CHANGE_DOCUMENTS, CHANGES, DUMPS, MANIFESTS, SNAPSHOTS } from "./kinds.ts";
import { BOTH, brief, linkName, onLinks, type Rule, section } from "./rule.ts";

const HIGHEST_PRI = 999_999;
const UPWARD: readonly DocumentKind[] = ["capability-list", ...SNAPSHOTS, ...CHANGE_DOCUMENTS];

/** What every link needs, and the links between documents of the framework. */
export const LINK_RULES: readonly Rule[] = [
  {
    id: "rel",
    why: "A link without a known meaning is followed by nobody.",
    cure: "Use one of IANA's list of link relations, such as alternate, or a URI of your own.",
    requirements: ["R53b", "R56"],
    must: section("7"),
    ...onLinks((link, report) => {
      if (isRelation(link.rel)) return;
      const message = `"${brief(link.rel)}" is neither a registered relation nor a URI.`;
      report(linkName(link), message);
    }),
  },
  {
    id: "href",
    why: "A link that is not written in full leads to different places for different programs.",
    cure: "Write the link's target in full.",
    requirements: ["R53a"],
    must: section("7"),
    ...onLinks((link, report) => {
      if (URL.canParse(link.href)) return;
      const message = `"${brief(link.href)}" is no absolute URI.`;
      report(`${linkName(link)}@href`, message);
    }),
  },
  {
    id: "pri",
    why: "Programs cannot choose among several links.",
    cure: `Write an integer from 1 (first) to ${HIGHEST_PRI}.`,
    requirements: ["R55"],
    must: section("7"),
    ...onLinks((link, report) => {
      const { pri } = link;
      if (pri === undefined) return;
      if (/^\d+$/.test(pri) && Number(pri) >= 1 && Number(pri) <= HIGHEST_PRI) return;
      const message = `"${brief(pri)}" is no priority.`;
      report(`${linkName(link)}@pri`, message);
    }),
  },
  {
    id: "up",
    why: "Who comes upon the document does not find the rest of the publication.",
    cure: "Add the link.",
    requirements: [
      "I17",
      "I24",
      "R21",
      "R67b",
      "R70c",
      "R74d",
      "R76c",
      "R82c",
      "R85d",
      "R93c",
      "R95c",
      "R100c",
    ],
    must: `${section("9")} to 13.2; IFCC-0001, Capability Lists and Change Lists`,
    profiles: BOTH,
    kinds: UPWARD,
    head({ head, kind }, report) {
      if (head.links.some(({ rel }) => rel === "up")) return;
      const target = kind === "capability-list" ? "Source Description" : "Capability List";
      report("rs:ln rel=up", `The document does not lead up to its ${target}.`);
    },
  },
  {
    id: "navigation-once",
    why: "Which of the links is right is left to chance.",
    cure: "Keep the one that is right.",
    should: section("6.2"),
    head({ head }, report) {
      for (const name of ["up", "index"]) {
        if (head.links.filter(({ rel }) => rel === name).length < 2) continue;
        report(`rs:ln rel=${name}`, `There are several links ${name}.`);
      }
    },
  },
  {
    id: "index-of-index",
    why: "Programs follow one level of indexes; what lies deeper is lost.",
    cure: "Leave the link out.",
    should: section("6.2"),
    head({ head }, report) {
      if (head.root !== "sitemapindex" || !head.links.some(({ rel }) => rel === "index")) return;
      report("rs:ln rel=index", "An index does not lie under another index.");
    },
  },
];

const PATCH = "http://www.openarchives.org/rs/terms/patch";

const PATCHED: readonly DocumentKind[] = ["change-dump", ...CHANGES];
const REPRESENTATION = ["encoding", "hash", "length", "type"] as const;
const ALL = [...REPRESENTATION, "modified", "path", "pri"] as const;

/** Links from entries to related resources, by their relation. */
export const RELATION_RULES: readonly Rule[] = [
  {
    id: "contents-place",
    why: "Programs look for it elsewhere, and do not find the manifest.",
    cure: "Leave the link out.",
    should: `${section("7")}, 11.1 and 13.1`,
    head({ head }, report) {
      if (has(head, "contents")) report("rs:ln rel=contents", "A document is no package.");
    },
    entry(entry, { kind }, report) {
      if (kind === undefined || DUMPS.includes(kind) || !has(entry, "contents")) return;
      report("rs:ln rel=contents", `A ${kind} points at no packages.`);
    },
  },
  {
    id: "contents-type",
    why: "Programs may not recognize the manifest.",
    cure: "Write application/xml.",
    should: `${section("11.1")} and 13.1 (a manifest is XML)`,
    entry(entry, _, report) {
      for (const { type } of linksOf(entry, "contents")) {
        if (type === undefined || /^(application|text)\/xml\b|\+xml\b/.test(type)) continue;
        report("rs:ln rel=contents@type", `A manifest is XML, not ${brief(type)}.`);
      }
    },
  },
  {
    id: "duplicate",
    why: "Mirrors are compared by their metadata; without it a stale mirror is not noticed.",
    cure: "Leave it out here.",
    requirements: ["R103c"],
    should: section("14.2"),
    ...entryLinks("duplicate", (link, report) => {
      for (const name of REPRESENTATION) {
        if (link[name] === undefined) continue;
        report(`@${name}`, `A mirror has the ${name} of the resource itself.`);
      }
    }),
  },
  {
    id: "alternate-type",
    why: "Programs cannot choose among the representations.",
    cure: "Add type.",
    requirements: ["R105"],
    should: section("14.3"),
    ...entryLinks("alternate", (link, report) => {
      if (link.type === undefined) report("@type", "The representation has no media type.");
    }),
  },
  {
    id: "patch-type",
    why: "A patch in an unknown format cannot be applied.",
    cure: "Add type.",
    requirements: ["R107a"],
    must: section("14.4"),
    ...entryLinks(PATCH, (link, report) => {
      if (link.type === undefined) report("@type", "Nobody can apply a patch of unknown type.");
    }),
  },
  {
    id: "patch-place",
    why: "A patch belongs to an update; elsewhere it is ignored.",
    cure: "Leave the link out.",
    requirements: ["R107c"],
    should: section("14.4"),
    head({ head }, report) {
      if (has(head, PATCH)) report(`rs:ln rel=${PATCH}`, "A document is no change to patch.");
    },
    entry(entry, { kind }, report) {
      if (kind === undefined || PATCHED.includes(kind) || !has(entry, PATCH)) return;
      report(`rs:ln rel=${PATCH}`, `A ${kind} has no changes to patch.`);
    },
  },
  {
    id: "patch-path",
    why: "The patch is not found in the package.",
    cure: "Add path.",
    requirements: ["R107b"],
    must: section("14.4"),
    kinds: ["change-dump-manifest"],
    ...entryLinks(PATCH, (link, report) => {
      if (link.path === undefined) report("@path", "The patch has no path in the package.");
    }),
  },
  {
    id: "memento-once",
    why: "Which version is meant is left to chance.",
    cure: "Link the last one, and a timemap.",
    should: section("14.6"),
    entry(entry, _, report) {
      if (linksOf(entry, "memento").length < 2) return;
      report("rs:ln rel=memento", "Several versions are linked.");
    },
  },
  {
    id: "memento-modified",
    why: "A version without a time cannot be placed among the others.",
    cure: "Add modified.",
    requirements: ["R110b"],
    should: section("14.6"),
    ...entryLinks("memento", (link, report) => {
      if (link.modified === undefined) report("@modified", "The version has no time.");
    }),
  },
  {
    id: "timegate",
    why: "It describes a file, and a TimeGate is none: a program may compare the two.",
    cure: "Leave it out.",
    requirements: ["R111b"],
    should: section("14.6"),
    ...entryLinks("timegate", (link, report) => {
      for (const name of ALL) {
        if (link[name] === undefined) continue;
        report(`@${name}`, `${name} means nothing for a TimeGate.`);
      }
    }),
  },
  {
    id: "path-place",
    why: "A program looks into a package that does not exist.",
    cure: "Leave it out.",
    requirements: ["R51"],
    should: section("7"),
    entry({ metadata, links }, { kind }, report) {
      if (kind === undefined || MANIFESTS.includes(kind)) return;
      const message = `A ${kind} is no manifest: there is no package the path is in.`;
      if (metadata?.path !== undefined) report("rs:md@path", message);
      for (const link of links ?? []) {
        if (link.path !== undefined) report(`${linkName(link)}@path`, message);
      }
    },
  },
];

function linksOf({ links }: Entry, rel: string): readonly Link[] {
  return links?.filter((link) => link.rel === rel) ?? [];
}

function has({ links }: Pick<Entry, "links">, rel: string): boolean {
  return links?.some((link) => link.rel === rel) ?? false;
}

type LinkCheck = (link: Link, report: (attribute: string, message: string) => void) => void;

function entryLinks(rel: string, check: LinkCheck): Pick<Rule, "entry"> {
  return {
    entry({ links }, _, report) {
      for (const link of links ?? []) {
        if (link.rel === rel) {
          check(link, (attribute, message) => report(`${linkName(link)}${attribute}`, message));
        }
      }
    },
  };
}
