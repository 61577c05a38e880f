import type { Report, TestedProof } from "./report.ts";
import type { Requirement, Side, Specification } from "./requirements.ts";
import type { Surface } from "./surface.ts";

/** A rule of the judge and the requirements it finds breaches of. */
export interface JudgeRule {
  readonly id: string;
  readonly requirements: readonly string[];
}

/** All that the table is made of. */
export interface Evidence {
  readonly specifications: readonly Specification[];
  readonly report: Report;
  readonly rules: readonly JudgeRule[];
}

/**
 * How far a requirement is met on one side. `works` needs a proof where a user stands; `library` has
 * one in a library alone, or is a rule of the judge that no case tries.
 */
export type Status = "works" | "library" | "missing" | "declined";
export const STATUSES: readonly Status[] = ["works", "library", "missing", "declined"];

const USER_SURFACES: Readonly<Record<Side, readonly Surface[]>> = {
  source: ["command", "plugin"],
  follower: ["harvester", "service"],
  destination: ["copies"],
  judge: ["judge"],
  hub: [],
};

/** What is said of one requirement on one of its sides. */
export interface Cell {
  readonly status: Status;
  /** The surfaces with a proof; for the judge, its rules. */
  readonly by: readonly string[];
  /** Why a test that could prove it did not run. */
  readonly skipped?: string;
}

export function cellOf(requirement: Requirement, side: Side, evidence: Evidence): Cell {
  const isDeclined = requirement.plan === "declined" && side !== "judge";
  if (isDeclined) return { status: "declined", by: [] };
  const { id } = requirement;
  const proofs = proofsOf(id, evidence);
  const passed = proofs.filter(({ state }) => state === "passed");
  const proven = new Set(passed.flatMap(({ surfaces }) => surfaces));
  const ofUsers = USER_SURFACES[side].filter((surface) => proven.has(surface));
  const rules = evidence.rules.filter(({ requirements }) => requirements.includes(id));
  const isInLibrary = passed.some(({ surfaces }) => surfaces.length === 0);
  const skipped = proofs.find(({ state }) => state === "skipped");
  if (side === "judge") {
    const status = rules.length === 0 ? "missing" : ofUsers.length > 0 ? "works" : "library";
    return { status, by: rules.map((rule) => rule.id) };
  }
  if (ofUsers.length > 0) return { status: "works", by: ofUsers };
  if (isInLibrary) return { status: "library", by: [] };
  return {
    status: "missing",
    by: [],
    ...(skipped === undefined ? {} : { skipped: skipped.why ?? "it was skipped" }),
  };
}

function proofsOf(id: string, { report }: Evidence): readonly TestedProof[] {
  return Object.values(report).flatMap(({ proofs }) =>
    proofs.filter(({ ids }) => ids.includes(id)),
  );
}

/**
 * The least status on a requirement's sides; the judge decides only where it stands alone. What the
 * source declines is declined, though the judge finds breaches of it.
 */
export function statusOf(requirement: Requirement, evidence: Evidence): Status {
  const sides = requirement.sides.filter((side) => side !== "judge");
  const cells = (sides.length > 0 ? sides : requirement.sides).map((side) =>
    cellOf(requirement, side, evidence),
  );
  return STATUSES.findLast((status) => cells.some((cell) => cell.status === status)) ?? "missing";
}

/** How many requirements have each status. */
export function countsOf(
  requirements: readonly Requirement[],
  evidence: Evidence,
): Readonly<Record<Status, number>> {
  const counts = { works: 0, library: 0, missing: 0, declined: 0 };
  for (const each of requirements) counts[statusOf(each, evidence)] += 1;
  return counts;
}

/** What is wrong with the evidence; each a sentence that says what to do. */
export function problemsOf(evidence: Evidence): readonly string[] {
  const all = evidence.specifications.flatMap(({ requirements }) => requirements);
  const byId = new Map(all.map((each) => [each.id, each]));
  const twice = all.filter((each) => byId.get(each.id) !== each);
  return [
    ...twice.map(
      ({ id }) => `${id} stands twice in the requirements. Give one of them another id.`,
    ),
    ...Object.entries(evidence.report).flatMap(([file, { proofs }]) =>
      [...new Set(proofs.flatMap(({ ids }) => ids))].flatMap((id) => claimProblem(byId, id, file)),
    ),
    ...evidence.rules.flatMap(({ id, requirements }) =>
      requirements.flatMap((each) => claimProblem(byId, each, `The rule ${id}`)),
    ),
    ...all.flatMap((each) => missingProofs(each, evidence)),
  ];
}

function claimProblem(
  byId: ReadonlyMap<string, Requirement>,
  id: string,
  who: string,
): readonly string[] {
  const requirement = byId.get(id);
  if (requirement === undefined) return [`${who} names ${id}, which is no requirement.`];
  // What the source does not write, the judge may still find in others' documents.
  if (requirement.plan !== "declined" || requirement.sides.includes("judge")) return [];
  return [`${who} names ${id}, which is declined. Change its plan, or take the proof out.`];
}

function missingProofs(requirement: Requirement, evidence: Evidence): readonly string[] {
  const { id, plan, sides, strength } = requirement;
  if (strength !== "must") return [];
  return sides
    .filter((side) => side === "judge" || plan === "offered")
    .filter((side) => {
      const { status } = cellOf(requirement, side, evidence);
      return side === "judge" ? status === "missing" : status !== "works";
    })
    .map((side) =>
      side === "judge"
        ? `${id} is a must about documents, and no rule of the judge carries it.`
        : `${id} is a must that the ${side} offers, and no test proves it where a user stands.`,
    );
}
