import { differ, type Entry, INDEXES, type Metadata, spanOf, urlKey } from "@rs-emit/documents";
import { type LinkedSet, type Member, manifestOf, type SetRule } from "./publication.ts";
import { section } from "./rule.ts";

const TIMES = ["at", "completed", "from", "until"] as const;

/** Whether an index and its documents agree. */
export const INDEX_RULES: readonly SetRule[] = [
  {
    id: "index-lists",
    why: "Who begins at the top never comes to this document.",
    cure: "Add an entry there.",
    requirements: ["R22"],
    must: section("6.2"),
    check(set, report) {
      for (const member of set.members) {
        const index = set.get(member.link("index"));
        if (index === undefined || index.lists(member.url)) continue;
        report(member, "rs:ln rel=index", `${index.url} does not list this document.`);
      }
    },
  },
  {
    id: "index-link",
    why: "Who comes upon the list does not find the others.",
    cure: "Add a link to it.",
    requirements: ["R22", "R72", "R76d", "R85e"],
    should: `${section("10.1")}, 11.1, 12.1 and 13.1`,
    check(set, report) {
      for (const { index, part } of grouped(set)) {
        const href = part.link("index");
        if (href !== undefined && urlKey(href) === urlKey(index.url)) continue;
        report(part, "rs:ln rel=index", `The document lies under ${index.url}.`);
      }
    },
  },
  {
    id: "index-times",
    why: "Followers decide by the index which lists to read, and skip this one wrongly.",
    cure: "Make the two equal.",
    requirements: ["R93e"],
    must: `${section("10.2")} and 12.2`,
    check(set, report) {
      for (const { index, part, entry, number } of grouped(set)) {
        for (const name of disagreements(entry.metadata, part.document.metadata)) {
          const message = `${part.url} has another ${name}, or none, of its own.`;
          report(index, `entry ${number}, rs:md@${name}`, message);
        }
      }
    },
  },
  {
    id: "index-until",
    why: "Followers read a closed list again at every visit.",
    cure: "Add its until here too.",
    requirements: ["R93f"],
    must: section("12.2"),
    check(set, report) {
      for (const { index, part, entry, number } of grouped(set)) {
        if (entry.metadata === undefined || entry.metadata.until !== undefined) continue;
        if (part.document.metadata.until === undefined) continue;
        report(index, `entry ${number}, rs:md@until`, `${part.url} is closed.`);
      }
    },
  },
  {
    id: "contents-times",
    why: "Followers decide by the manifest whether to fetch the package, and decide wrongly.",
    cure: "Make the two equal.",
    requirements: ["R78b"],
    must: `${section("11.1")} and 13.1 (the manifest is that of the package)`,
    check(set, report) {
      for (const member of set.ofKind("resource-dump", "change-dump")) {
        for (const [at, entry] of member.document.entries.entries()) {
          const manifest = manifestOf(set, entry);
          if (manifest === undefined) continue;
          for (const name of disagreements(entry.metadata, manifest.document.metadata)) {
            const message = `${manifest.url} has another ${name}, or none.`;
            report(member, `entry ${at + 1}, rs:md@${name}`, message);
          }
        }
      }
    },
  },
];

interface Grouped {
  readonly index: Member;
  readonly part: Member;
  readonly entry: Entry;
  readonly number: number;
}

function* grouped(set: LinkedSet): Iterable<Grouped> {
  for (const index of set.ofKind(...INDEXES)) {
    for (const [at, entry] of index.document.entries.entries()) {
      const part = set.get(entry.loc);
      if (part !== undefined) yield { index, part, entry, number: at + 1 };
    }
  }
}

function disagreements(stated: Metadata | undefined, own: Metadata) {
  return TIMES.filter((name) => {
    if (stated?.[name] === undefined) return false;
    return own[name] === undefined || differ(spanOf(stated[name]), spanOf(own[name]));
  });
}
