import { digestsIn, isChangeKind, PATH, spanOf } from "@rs-emit/documents";
import {
  BOTH,
  brief,
  type Carrier,
  onCarriers,
  onMetadata,
  type ReportFinding,
  type Rule,
  type Subject,
  section,
} from "./rule.ts";

type Valued = "hash" | "length" | "type" | "path";

/** Seconds by which clocks differ. */
const TOLERANCE = 60;

const FULL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
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
    id: "datetime-past",
    why: "Followers do not believe it. A change that is dated beyond tomorrow waits until its day has come.",
    cure: "Set the clock of the machine that publishes, and write times in UTC.",
    should: `${section("7")} (it is when something happened)`,
    ...onDatetimes((value, where, report, { now }) => {
      const span = now === undefined ? undefined : spanOf(value);
      if (span === undefined || now === undefined || span.earliest <= now + TOLERANCE) return;
      report(where, `${brief(value)} is in the future.`);
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
      const broken = digestsIn(value).find(
        ({ isDigest, expected, digits }) => !isDigest || digits !== (expected ?? digits),
      );
      if (broken === undefined) return;
      const { text, isDigest, expected, digits } = broken;
      const isShort = isDigest && expected !== undefined;
      const length = isShort ? ` It has ${digits} of ${expected} digits.` : "";
      report(where, `"${brief(text)}" is no digest.${length}`);
    }),
  },
  {
    id: "hash-algorithm",
    why: "A copy cannot be compared with a digest of an unknown kind, so followers leave it out.",
    cure: "Write its registered name, such as md5, sha-1 or sha-256.",
    should: `${section("7")} (a token that identifies the algorithm)`,
    ...onValue("hash", (value, where, report) => {
      const unknown = digestsIn(value).find(({ expected }) => expected === undefined);
      if (unknown === undefined || !unknown.text.includes(":")) return;
      report(where, `"${brief(unknown.algorithm)}" is no known algorithm.`);
    }),
  },
  {
    id: "length",
    why: "A copy cannot be compared with a length that cannot be read.",
    cure: "Write decimal digits only.",
    requirements: ["R50b"],
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
      if (PATH.accepts(value) && !value.split("/").includes("..")) return;
      report(where, `"${brief(value)}" is no path in a package.`);
    }),
  },
];

type ValueCheck = (value: string, where: string, report: ReportFinding, subject: Subject) => void;

function onValue(name: Valued, check: ValueCheck): Pick<Rule, "head" | "entry"> {
  return onCarriers((carrier, carrierName, report, subject) => {
    const value = carrier[name];
    if (value !== undefined) check(value, `${carrierName}@${name}`, report, subject);
  });
}

function onDatetimes(check: ValueCheck): Pick<Rule, "head" | "entry"> {
  const carriers = onCarriers((carrier, name, report, subject) => {
    for (const [attribute, value] of datetimesOf(carrier)) {
      if (value !== undefined) check(value, `${name}@${attribute}`, report, subject);
    }
  });
  return {
    head: carriers.head,
    entry: (entry, subject, report) => {
      carriers.entry(entry, subject, report);
      if (entry.lastmod !== undefined) check(entry.lastmod, "lastmod", report, subject);
    },
  };
}

function datetimesOf(carrier: Carrier): readonly (readonly [string, string | undefined])[] {
  if ("rel" in carrier) return [["modified", carrier.modified]];
  return METADATA_TIMES.map((name) => [name, carrier[name]] as const);
}
