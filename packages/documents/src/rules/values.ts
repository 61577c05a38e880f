import { spanOf } from "../datetime.ts";
import { isChangeKind } from "../kinds.ts";
import {
  BOTH,
  brief,
  type Carrier,
  onCarriers,
  onMetadata,
  type Report,
  type Rule,
  section,
} from "./rule.ts";

type Valued = "hash" | "length" | "type" | "path";

const FULL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const HASH = /^[^\s:]+:([0-9a-f]{2})+$/i;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;
const METADATA_TIMES = ["at", "completed", "from", "until", "datetime", "modified"] as const;

export const VALUE_RULES: readonly Rule[] = [
  {
    id: "datetime",
    why: "A time that cannot be read is no time: the change cannot be ordered or dated.",
    cure: "Write it like 2026-10-01T12:00:00Z.",
    requirements: ["R41"],
    must: section("7"),
    profiles: BOTH,
    ...onDatetimes((value, where, report) => {
      if (spanOf(value) !== undefined) return;
      report(where, `"${brief(value)}" is no W3C datetime.`);
    }),
  },
  {
    id: "datetime-full",
    why: "A date alone leaves open which change came first on that day.",
    cure: "Write it like 2026-10-01T12:00:00Z.",
    requirements: ["R41"],
    should: section("7"),
    ...onDatetimes((value, where, report) => {
      if (FULL.test(value) || spanOf(value) === undefined) return;
      report(where, `"${brief(value)}" is no full UTC datetime.`);
    }),
  },
  {
    id: "change",
    why: "A change of no known kind is ignored, so it is lost.",
    cure: "Write created, updated or deleted.",
    requirements: ["I27", "R46"],
    must: `${section("7")}; IFCC-0001, Change Lists`,
    profiles: BOTH,
    ...onMetadata(({ change }, report) => {
      if (change === undefined || isChangeKind(change)) return;
      report("rs:md@change", `"${brief(change)}" is no change.`);
    }),
  },
  {
    id: "hash",
    why: "A copy cannot be compared with a digest that cannot be read.",
    cure: "Write its algorithm and its hex digits: sha-256:0f….",
    requirements: ["R49"],
    must: section("7"),
    ...onValue("hash", (value, where, report) => {
      const broken = value
        .trim()
        .split(/\s+/)
        .find((digest) => !HASH.test(digest));
      if (broken === undefined) return;
      report(where, `"${brief(broken)}" is no digest.`);
    }),
  },
  {
    id: "length",
    why: "A copy cannot be compared with a length that cannot be read.",
    cure: "Write decimal digits only.",
    must: section("7"),
    ...onValue("length", (value, where, report) => {
      if (/^\d+$/.test(value)) return;
      report(where, `"${brief(value)}" is no number of bytes.`);
    }),
  },
  {
    id: "type",
    why: "A strict reader refuses the whole document.",
    cure: "Write it like text/html.",
    requirements: ["R52"],
    must: section("7"),
    ...onValue("type", (value, where, report) => {
      if (MEDIA_TYPE.test(value.split(";", 1).join("").trim())) return;
      report(where, `"${brief(value)}" is no media type.`);
    }),
  },
  {
    id: "type-registered",
    why: "A program that does not know the type does not know what to do with the file.",
    cure: "Leave them out.",
    should: section("7"),
    ...onValue("type", (value, where, report) => {
      if (!value.includes(";")) return;
      report(where, `"${brief(value)}" has parameters; registered types have none.`);
    }),
  },
  {
    id: "path",
    why: "The file is not found in the package.",
    cure: "Write it from the root, like /pages/a.html.",
    requirements: ["R82e", "R100f"],
    must: `${section("11.2")} and ${section("13.2")}`,
    ...onValue("path", (value, where, report) => {
      if (/^\/.*[^/]$/.test(value) && !value.split("/").includes("..")) return;
      report(where, `"${brief(value)}" is no path in a package.`);
    }),
  },
];

type Check = (value: string, where: string, report: Report) => void;

function onValue(name: Valued, check: Check): Pick<Rule, "head" | "entry"> {
  return onCarriers((carrier, carrierName, report) => {
    const value = carrier[name];
    if (value !== undefined) check(value, `${carrierName}@${name}`, report);
  });
}

function onDatetimes(check: Check): Pick<Rule, "head" | "entry"> {
  const carriers = onCarriers((carrier, name, report) => {
    for (const [attribute, value] of datetimesOf(carrier)) {
      if (value !== undefined) check(value, `${name}@${attribute}`, report);
    }
  });
  return {
    head: carriers.head,
    entry: (entry, subject, report) => {
      carriers.entry(entry, subject, report);
      if (entry.lastmod !== undefined) check(entry.lastmod, "lastmod", report);
    },
  };
}

function datetimesOf(carrier: Carrier): readonly (readonly [string, string | undefined])[] {
  if ("rel" in carrier) return [["modified", carrier.modified]];
  return METADATA_TIMES.map((name) => [name, carrier[name]] as const);
}
