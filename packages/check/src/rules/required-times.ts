import { isBefore, REQUIREMENTS, spanOf } from "@rs-emit/documents";
import { CHANGE_DOCUMENTS, SNAPSHOTS } from "./kinds.ts";
import { BOTH, entryLacks, headLacks, type Rule, section } from "./rule.ts";

const INTERVALS = [
  ["at", "completed"],
  ["from", "until"],
] as const;

const APPENDIX_A = "ResourceSync 1.1, Appendix A";

export const TIME_RULES: readonly Rule[] = [
  {
    id: "at",
    why: "Nobody knows from which time on changes must be added to the snapshot.",
    cure: "Add at.",
    requirements: ["R70b", "R74c", "R76b", "R82b", "R117"],
    must: APPENDIX_A,
    kinds: SNAPSHOTS,
    ...headLacks("at", "The document does not say when its snapshot was begun."),
  },
  {
    id: "from",
    why: "Nobody knows since when the log is complete, so nobody can tell whether changes are missing.",
    cure: "Add from.",
    requirements: ["I25b", "R85b", "R93b", "R95b", "R100b", "R117"],
    must: `${APPENDIX_A}; IFCC-0001, Change Lists`,
    profiles: BOTH,
    kinds: CHANGE_DOCUMENTS,
    ...headLacks("from", "The document does not say since when it lists changes."),
  },
  {
    id: "time-unused",
    why: "It has no meaning there, and a program may take it for another time.",
    cure: "Leave it out.",
    requirements: ["R117b"],
    should: `${section("7")} and Appendix A`,
    head({ head, kind }, report) {
      if (kind === undefined) return;
      for (const name of REQUIREMENTS[kind].headNever) {
        if (head.metadata[name] === undefined) continue;
        report(`rs:md@${name}`, `A ${kind} has no ${name} of its own.`);
      }
    },
  },
  {
    id: "entry-time-unused",
    why: "It has no meaning there, and a program may take it for another time.",
    cure: "Leave it out.",
    requirements: ["R117b"],
    should: `${section("7")} and Appendix A`,
    entry({ metadata }, { kind }, report) {
      if (kind === undefined || metadata === undefined) return;
      for (const name of REQUIREMENTS[kind].entryNever) {
        if (metadata[name] === undefined) continue;
        report(`rs:md@${name}`, `The entries of a ${kind} have no ${name}.`);
      }
    },
  },
  {
    id: "entry-from",
    why: "Without the interval of each list, followers must fetch every list again at each visit.",
    cure: "Add from.",
    requirements: ["R93e", "R95g"],
    should: `${APPENDIX_A}; IFCC-0001, For Feed Generators`,
    profiles: BOTH,
    kinds: ["change-list-index", "change-dump", "change-dump-index"],
    ...entryLacks("from", "The entry does not say since when its document lists changes."),
  },
  {
    id: "interval-start",
    why: "An interval without a beginning cannot be compared with the last visit.",
    cure: "Add where the interval begins.",
    should: `${section("10.2")} and ${section("12.2")}`,
    entry({ metadata }, _, report) {
      for (const [start, end] of INTERVALS) {
        if (metadata?.[end] === undefined || metadata[start] !== undefined) continue;
        report(`rs:md@${end}`, `${end} ends what ${start} begins.`);
      }
    },
  },
  {
    id: "interval-order",
    why: "An interval that ends before it begins holds no change, so its changes are lost.",
    cure: "Correct one of the two.",
    must: section("7"),
    head({ times }, report) {
      for (const [start, end] of INTERVALS) {
        if (!isBefore(times[end], times[start])) continue;
        report(`rs:md@${end}`, `${end} is before ${start}.`);
      }
    },
    entry({ metadata }, _, report) {
      for (const [start, end] of INTERVALS) {
        if (!isBefore(spanOf(metadata?.[end]), spanOf(metadata?.[start]))) continue;
        report(`rs:md@${end}`, `${end} is before ${start}.`);
      }
    },
  },
];
