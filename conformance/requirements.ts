import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "requirements");

/** Who has to meet a requirement. `judge` stands for the rules that find documents breaking it. */
export const SIDES = ["source", "follower", "destination", "judge", "hub"] as const;
export type Side = (typeof SIDES)[number];

const STRENGTHS = ["must", "should", "may", "text"] as const;

/** One demand of one specification, in our words. */
export interface Requirement {
  readonly id: string;
  /** Title of the specification's section, or its number. */
  readonly section: string;
  /** `text` where the specification describes and demands nothing. */
  readonly strength: (typeof STRENGTHS)[number];
  readonly sides: readonly Side[];
  readonly requirement: string;
  /** `open` where the project means to meet it and does not yet. */
  readonly plan: "offered" | "open" | "declined";
  /** Why it is declined; empty for others. */
  readonly reason: string;
}

/** The requirements of one specification, in its order. */
export interface Specification {
  readonly title: string;
  readonly requirements: readonly Requirement[];
}

const TITLES: Readonly<Record<string, string>> = {
  "1-ifcc-0001.tsv": "IFCC-0001, Sitemap Update Syndication",
  "2-resourcesync-1.1.tsv": "ResourceSync 1.1 (ANSI/NISO Z39.99-2017)",
  "3-change-notification-1.0.1.tsv": "ResourceSync Change Notification 1.0.1",
  "4-draft-2012.tsv": "A sitemap-based approach (draft of 2012)",
  "5-extending-sitemaps.tsv": "Extending Sitemaps for ResourceSync (paper)",
};

/** Reads the tables in `requirements/`. */
export function readSpecifications(): readonly Specification[] {
  return readdirSync(FOLDER)
    .sort()
    .map((file) => ({
      title: TITLES[file] ?? file,
      requirements: parseTable(readFileSync(join(FOLDER, file), "utf8")),
    }));
}

/**
 * Parses a table of tab-separated values with a line of column names.
 *
 * @throws where a value is none of those allowed, such as `declined` without a reason
 */
export function parseTable(text: string): readonly Requirement[] {
  const [, ...lines] = text.trimEnd().split("\n");
  return lines.map((line) => {
    const [id = "", section = "", strength, sides = "", requirement = "", plan = ""] =
      line.split("\t");
    if (!/^[IRNTP]\d+[a-z]?$/.test(id)) throw new Error(`"${id}" is no id: ${line}`);
    if (section === "") throw new Error(`${id} names no section.`);
    if (!requirement.endsWith(".")) throw new Error(`${id} is no sentence: ${line}`);
    return {
      id,
      section,
      strength: oneOf(STRENGTHS, strength, id),
      sides: sides.split(" ").map((side) => oneOf(SIDES, side, id)),
      requirement,
      ...planOf(id, plan),
    };
  });
}

function oneOf<T extends string>(allowed: readonly T[], value: string | undefined, id: string): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw new Error(`${id}: "${value}" is none of ${allowed.join(", ")}.`);
  return found;
}

function planOf(id: string, plan: string): Pick<Requirement, "plan" | "reason"> {
  if (plan === "offered" || plan === "open") return { plan, reason: "" };
  const reason = /^declined: (.+)$/.exec(plan)?.[1];
  if (reason === undefined)
    throw new Error(`${id}: "${plan}" is neither offered, open, nor declined with a reason.`);
  return { plan: "declined", reason };
}
