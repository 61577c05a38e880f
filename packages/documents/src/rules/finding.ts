import { type Demand, type Severity, summaryOf } from "./rule.ts";

/** One breach of one rule in one place. */
export interface Finding {
  /** The rule's stable name, such as `change-order`. */
  readonly rule: string;
  readonly severity: Severity;
  /** The document's URL, where it is known. */
  readonly document: string | undefined;
  /** The place in the document, such as `entry 3, rs:md@datetime` (entries count from 1). */
  readonly where: string;
  /** What is wrong and what to do, for a person. */
  readonly message: string;
  /** The text that asks for it, such as `ResourceSync 1.1, section 12.1`. */
  readonly source: string;
}

/** Findings of one rule in one document that are given one by one; the rest are only counted. */
export const FINDINGS_PER_RULE = 20;

/** Collects the findings about one document. */
export class Findings {
  readonly #document: string | undefined;
  readonly #found: Finding[] = [];
  readonly #counts = new Map<Demand, number>();

  constructor(document: string | undefined) {
    this.#document = document;
  }

  add(rule: Demand, where: string, message: string): void {
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    if (count <= FINDINGS_PER_RULE) this.#found.push(this.#finding(rule, where, message));
  }

  /** The findings in the order they came; last, one for each rule that had too many. */
  list(): readonly Finding[] {
    const rests = [...this.#counts]
      .filter(([, count]) => count > FINDINGS_PER_RULE)
      .map(([rule, count]) => {
        const rest = (count - FINDINGS_PER_RULE).toLocaleString("en");
        return this.#finding(rule, "document", `${rest} more places break this rule.`);
      });
    return [...this.#found, ...rests];
  }

  #finding(rule: Demand, where: string, message: string): Finding {
    const { id, severity, source } = summaryOf(rule);
    return { rule: id, severity, document: this.#document, where, message, source };
  }
}
