import { DUMPS, MANIFESTS } from "./kinds.ts";
import { brief, once, type Rule, section } from "./rule.ts";

const ZIP = "application/zip";

/** Packages, and the manifests that list their files. */
export const DUMP_RULES: readonly Rule[] = [
  {
    id: "package-metadata",
    why: "Followers cannot tell whether the package is new, or arrived whole.",
    cure: "Add it.",
    requirements: ["R76g", "R95f"],
    should: `${section("11.1")} and 13.1`,
    kinds: DUMPS,
    entry({ metadata }, _, report) {
      for (const name of ["type", "length"] as const) {
        if (metadata?.[name] !== undefined) continue;
        report(`rs:md@${name}`, `The package has no ${name}.`);
      }
    },
  },
  {
    id: "package-zip",
    why: "Most programs unpack ZIP only.",
    cure: `Publish ZIP packages (${ZIP}).`,
    requirements: ["R77a"],
    should: `${section("11.1")} and 13.1`,
    kinds: DUMPS,
    entry({ metadata }, _, report) {
      if (metadata?.type === undefined || metadata.type === ZIP) return;
      report("rs:md@type", `Few can unpack ${brief(metadata.type)}.`);
    },
  },
  {
    id: "package-format",
    why: "A program that unpacks one of the packages cannot unpack the others.",
    cure: "Use one format for all packages.",
    requirements: ["R77b"],
    should: `${section("11.1")} and 13.1`,
    kinds: DUMPS,
    series(_, report) {
      let first: string | undefined;
      return {
        entry: ({ metadata }) => {
          const type = metadata?.type;
          if (type === undefined) return;
          first ??= type;
          if (type === first) return;
          report("rs:md@type", `Other packages are ${brief(first)}.`);
        },
      };
    },
  },
  {
    id: "bitstream-path",
    why: "The file is not found in the package.",
    cure: "Add path.",
    requirements: ["R82e", "R100f"],
    must: `${section("11.2")} and 13.2`,
    kinds: MANIFESTS,
    entry({ metadata }, _, report) {
      if (metadata?.path !== undefined || metadata?.change === "deleted") return;
      report("rs:md@path", "The bitstream has no path in the package.");
    },
  },
  {
    id: "bitstream-once",
    why: "One file cannot be two resources, or the states of one at two times.",
    cure: "Give each bitstream a path of its own.",
    should: `${section("11.2")} and 13.2`,
    kinds: MANIFESTS,
    ...once(
      ({ metadata }) => metadata?.path,
      "rs:md@path",
      (path) => `Another entry has the path ${path}.`,
    ),
  },
  {
    id: "bitstream-type",
    why: "A program does not know how to serve the file it unpacked.",
    cure: "Add type.",
    requirements: ["R82f"],
    should: `${section("11.2")} and 13.2`,
    kinds: MANIFESTS,
    entry({ metadata }, _, report) {
      if (metadata?.type !== undefined || metadata?.change === "deleted") return;
      report("rs:md@type", "The bitstream has no media type.");
    },
  },
];
