import { type DocumentLines, numeral } from "@rs-emit/documents";
import { HOST_RULES, type HostRule, type Level } from "./host-rules.ts";
import { FINDINGS_PER_RULE, type Finding, RULES } from "./rules/index.ts";

/** A breach that a check found. */
export interface CheckFinding {
  /** The rule's stable name. */
  readonly rule: string;
  readonly level: Level;
  readonly document: string;
  /** Its path in the checked folder. */
  readonly file?: string | undefined;
  /** The line in it, counted from 1. */
  readonly line?: number | undefined;
  /** The place in it, such as `entry 3, rs:md@datetime`. */
  readonly where?: string | undefined;
  readonly what: string;
  /** Why it matters to followers of the source. */
  readonly why: string;
  /** What to do. Empty where `what` says it already. */
  readonly cure: string;
  /** The specification's section, or `rs-emit`. */
  readonly source: string;
}

export type FindingPlace = Pick<CheckFinding, "document" | "file" | "line" | "where">;

export class CheckFindings {
  readonly #found: CheckFinding[] = [];
  readonly #counts = new Map<string, number>();

  /** Adds a breach of a host rule. Beyond a limit for each rule, breaches are only counted. */
  add(rule: HostRule, place: FindingPlace, what: string, cure: string): void {
    const { level, why } = HOST_RULES[rule];
    this.#push({ rule, level, ...place, what, why, cure, source: "rs-emit" });
  }

  /** Adds a breach of a document rule that shows while the document is read. */
  addBroken(
    broken: "target-missing" | "loc",
    place: FindingPlace,
    what: string,
    cure: string,
  ): void {
    const rule = RULES.find(({ id }) => id === broken);
    if (rule === undefined) throw new RangeError(`no rule ${broken}`);
    const { id, why, source } = rule;
    this.#push({ rule: id, level: "error", ...place, what, why, cure, source });
  }

  addJudged(finding: Finding, place: FindingPlace): void {
    const { rule, severity, what, why, cure, source } = finding;
    const level = severity === "must" ? "error" : "warning";
    this.#found.push({ rule, level, ...place, what, why, cure, source });
  }

  has(rule: HostRule): boolean {
    return this.#counts.has(rule);
  }

  /** Errors before warnings before notes, each in the order of their discovery. */
  list(): readonly CheckFinding[] {
    const rests = [...this.#counts].flatMap(([rule, count]) => {
      const last = this.#found.findLast((one) => one.rule === rule);
      if (last === undefined || count <= FINDINGS_PER_RULE) return [];
      const what = `${numeral(count - FINDINGS_PER_RULE)} more places break this rule.`;
      return [{ ...last, line: undefined, where: undefined, what, cure: "" }];
    });
    const all = [...this.#found, ...rests];
    return LEVELS.flatMap((level) => all.filter((one) => one.level === level));
  }

  #push(finding: CheckFinding): void {
    const count = (this.#counts.get(finding.rule) ?? 0) + 1;
    this.#counts.set(finding.rule, count);
    if (count <= FINDINGS_PER_RULE) this.#found.push(finding);
  }
}

export const LEVELS: readonly Level[] = ["error", "warning", "note"];

export function lineOf(
  where: string,
  lines: DocumentLines,
  links: readonly { readonly rel: string }[],
): number {
  const entry = /^entry (\d+)/.exec(where)?.[1];
  if (entry !== undefined) return lines.entries[Number(entry) - 1] ?? lines.root;
  const rel = /^rs:ln rel=([^@]*)/.exec(where)?.[1];
  if (rel !== undefined) {
    return lines.links[links.findIndex((link) => link.rel === rel)] ?? lines.root;
  }
  return where.startsWith("rs:md") ? lines.metadata : lines.root;
}
