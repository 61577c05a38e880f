import { type Metadata, spanOf, type TimeSpan, urlKey } from "@rs-emit/documents";
import {
  type LinkedSet,
  logOf,
  type Member,
  manifestOf,
  partsOf,
  type SetRule,
} from "./publication.ts";
import { brief, section } from "./rule.ts";

/** Whether the packages of a Change Dump contain the changes of the log. */
export const PACKAGE_RULES: readonly SetRule[] = [
  {
    id: "manifest-changes",
    why: "Who unpacks the package and who follows the log end with different sites.",
    cure: "Package the change, and list it in the manifest.",
    requirements: ["R96"],
    must: `${section("9")} and ${section("13.2")}`,
    check(set, report) {
      for (const list of set.ofKind("capability-list")) {
        const packages = packagesOf(set, list);
        const packaged = new Set(packages.flatMap(({ manifest }) => changesIn(manifest)));
        for (const { loc, datetime } of logOf(set, list)) {
          if (datetime === undefined || packaged.has(keyOf(loc, datetime))) continue;
          // A package whose manifest is missing may contain it.
          const holders = packages.filter((one) => mayHold(one, datetime));
          if (holders.some(({ manifest }) => manifest === undefined)) continue;
          const holder = holders.find(({ from }) => from.latest < datetime.earliest)?.manifest;
          const message = `A change of ${brief(loc)} in this interval is left out.`;
          if (holder !== undefined) report(holder, "document", message);
        }
      }
    },
  },
];

interface PackageContents {
  readonly manifest: Member | undefined;
  readonly from: TimeSpan;
  readonly until: TimeSpan | undefined;
}

/** The packages of a collection's Change Dump, if the set has all of them. */
function packagesOf(set: LinkedSet, capabilityList: Member): readonly PackageContents[] {
  const dump = partsOf(set, capabilityList, "changedump");
  if (dump?.whole !== true) return [];
  return dump.parts.flatMap(({ document }) =>
    document.entries.flatMap((entry) => {
      const manifest = manifestOf(set, entry);
      const times: Metadata = manifest?.document.metadata ?? entry.metadata ?? {};
      const from = spanOf(times.from);
      return from === undefined ? [] : [{ manifest, from, until: spanOf(times.until) }];
    }),
  );
}

function mayHold({ from, until }: PackageContents, { earliest, latest }: TimeSpan): boolean {
  return from.earliest <= latest && (until === undefined || earliest <= until.latest);
}

function changesIn(manifest: Member | undefined): readonly string[] {
  return (manifest?.document.entries ?? []).flatMap(({ loc, metadata }) => {
    const datetime = spanOf(metadata?.datetime);
    return datetime === undefined ? [] : [keyOf(loc, datetime)];
  });
}

function keyOf(loc: string, { earliest }: TimeSpan): string {
  return `${earliest} ${urlKey(loc)}`;
}
