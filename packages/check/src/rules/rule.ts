import {
  type DocumentKind,
  type Entry,
  type Head,
  type Link,
  type Metadata,
  numeral,
  type TimeAttribute,
  type TimeSpan,
} from "@rs-emit/documents";

/** The strength of a demand, in the specification's own word. */
export type Severity = "must" | "should";

/** A specification to judge by. IFCC-0001 requires more than ResourceSync. */
export type Profile = "resourcesync" | "ifcc-0001";

/** One breach of one rule in one place. */
export interface Finding {
  /** The rule's stable name, such as `change-order`. */
  readonly rule: string;
  readonly severity: Severity;
  /** The document's URL, where it is known. */
  readonly document: string | undefined;
  /** The place in the document, such as `entry 3, rs:md@datetime` (entries count from 1). */
  readonly where: string;
  /** What is wrong, for a person. */
  readonly what: string;
  /** Why it matters to followers of the source. */
  readonly why: string;
  readonly cure: string;
  /** The section that requires it, such as `ResourceSync 1.1, section 12.1`. */
  readonly source: string;
}

export interface RuleSummary {
  readonly id: string;
  readonly why: string;
  readonly cure: string;
  readonly severity: Severity;
  readonly source: string;
  readonly requirements: readonly string[];
  readonly profiles: readonly Profile[];
}

export const IFCC_ONLY: readonly Profile[] = ["ifcc-0001"];
export const BOTH: readonly Profile[] = ["resourcesync", "ifcc-0001"];

/** The section that requires something, with `must` or with `should`. */
export type Demand = ({ readonly must: string } | { readonly should: string }) & {
  readonly id: string;
  /** Why it matters to followers of the source. */
  readonly why: string;
  readonly cure: string;
  readonly requirements?: readonly string[];
  /** The profiles that require it; by default ResourceSync alone. */
  readonly profiles?: readonly Profile[];
};

export function summaryOf(demand: Demand): RuleSummary {
  const { id, why, cure, requirements = [], profiles = ["resourcesync"] } = demand;
  const words = { id, why, cure, requirements, profiles };
  return "must" in demand
    ? { ...words, severity: "must", source: demand.must }
    : { ...words, severity: "should", source: demand.should };
}

export function isAsked(demand: Demand, profiles: readonly Profile[]): boolean {
  return summaryOf(demand).profiles.some((profile) => profiles.includes(profile));
}

/** Beyond this number, one rule's findings in one document are only counted. */
export const FINDINGS_PER_RULE = 20;

export class Findings {
  readonly #document: string | undefined;
  readonly #found: Finding[] = [];
  readonly #counts = new Map<Demand, number>();

  constructor(document: string | undefined) {
    this.#document = document;
  }

  add(rule: Demand, where: string, what: string): void {
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    if (count <= FINDINGS_PER_RULE) this.#found.push(this.#finding(rule, where, what));
  }

  /** The findings in order; last, one for each rule that had too many. */
  list(): readonly Finding[] {
    const rests = [...this.#counts]
      .filter(([, count]) => count > FINDINGS_PER_RULE)
      .map(([rule, count]) => {
        const rest = numeral(count - FINDINGS_PER_RULE);
        const what = `${rest} more places break this rule.`;
        return { ...this.#finding(rule, "document", what), cure: "" };
      });
    return [...this.#found, ...rests];
  }

  #finding(rule: Demand, where: string, what: string): Finding {
    const { id, severity, source, why, cure } = summaryOf(rule);
    return { rule: id, severity, document: this.#document, where, what, why, cure, source };
  }
}

export interface Subject {
  readonly head: Head;
  /** `undefined` for a document that the framework does not know. */
  readonly kind: DocumentKind | undefined;
  readonly url: string | undefined;
  /** Whether an index lists it. */
  readonly isGrouped: boolean;
  /** UTC seconds: the time of judgement; `undefined` where it does not matter. */
  readonly now: number | undefined;
  /** The valid datetimes of its own `rs:md`. */
  readonly times: Readonly<Record<TimeAttribute, TimeSpan | undefined>>;
}

/** Reports a breach: its place (within the entry, while an entry is judged), and what is wrong. */
export type ReportFinding = (where: string, what: string) => void;

/** A check that needs to remember earlier entries. */
interface Series {
  entry(entry: Entry): void;
  end?(): void;
}

/** A rule for single documents. Each of its checks sees an entry once and keeps none. */
export type Rule = Demand & {
  /** The kinds of documents it is for; without it, every document. */
  readonly kinds?: readonly DocumentKind[];
  head?(subject: Subject, report: ReportFinding): void;
  entry?(entry: Entry, subject: Subject, report: ReportFinding): void;
  series?(subject: Subject, report: ReportFinding): Series;
};

/** Both may describe a representation. */
export type Carrier = Metadata | Link;

export const IFCC = "IFCC-0001";

const LONGEST_VALUE = 120;

export function section(number: string): string {
  return `ResourceSync 1.1, section ${number}`;
}

export function notificationSection(number: string): string {
  return `ResourceSync Change Notification 1.0.1, section ${number}`;
}

export function linkName(link: Link): string {
  return `rs:ln rel=${brief(link.rel)}`;
}

/** Shortens a value for a finding, since a stranger's value may have a megabyte. */
export function brief(value: string): string {
  return value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE)}…`;
}

export function onMetadata(
  check: (metadata: Metadata, report: ReportFinding, subject: Subject) => void,
): Required<Pick<Rule, "head" | "entry">> {
  return {
    head: (subject, report) => check(subject.head.metadata, report, subject),
    entry: ({ metadata }, subject, report) => {
      if (metadata !== undefined) check(metadata, report, subject);
    },
  };
}

export function onLinks(
  check: (link: Link, report: ReportFinding, subject: Subject) => void,
): Required<Pick<Rule, "head" | "entry">> {
  return {
    head: (subject, report) => {
      for (const link of subject.head.links) check(link, report, subject);
    },
    entry: ({ links }, subject, report) => {
      for (const link of links ?? []) check(link, report, subject);
    },
  };
}

export function onCarriers(
  check: (carrier: Carrier, name: string, report: ReportFinding, subject: Subject) => void,
): Required<Pick<Rule, "head" | "entry">> {
  const metadata = onMetadata((carrier, report, subject) =>
    check(carrier, "rs:md", report, subject),
  );
  const links = onLinks((link, report, subject) => check(link, linkName(link), report, subject));
  return {
    head: (subject, report) => {
      metadata.head(subject, report);
      links.head(subject, report);
    },
    entry: (entry, subject, report) => {
      metadata.entry(entry, subject, report);
      links.entry(entry, subject, report);
    },
  };
}

/** For values that one entry alone may have. */
export function once(
  read: (entry: Entry) => string | undefined,
  where: string,
  what: (value: string) => string,
): Required<Pick<Rule, "series">> {
  return {
    series(_, report) {
      const seen = new Set<string>();
      return {
        entry: (entry) => {
          const value = read(entry);
          if (value === undefined) return;
          if (seen.has(value)) report(where, what(brief(value)));
          seen.add(value);
        },
      };
    },
  };
}

export function headLacks(name: keyof Metadata, what: string): Pick<Rule, "head"> {
  return {
    head({ head }, report) {
      if (head.metadata[name] === undefined) report(`rs:md@${name}`, what);
    },
  };
}

export function entryLacks(name: keyof Metadata, what: string): Pick<Rule, "entry"> {
  return {
    entry({ metadata }, _, report) {
      if (metadata?.[name] === undefined) report(`rs:md@${name}`, what);
    },
  };
}

export function headLacksLink(rel: string, what: string): Pick<Rule, "head"> {
  return {
    head({ head }, report) {
      if (!head.links.some((link) => link.rel === rel)) report(`rs:ln rel=${rel}`, what);
    },
  };
}

export function entryLacksLink(rel: string, what: string): Pick<Rule, "entry"> {
  return {
    entry({ links }, _, report) {
      if (!links?.some((link) => link.rel === rel)) report(`rs:ln rel=${rel}`, what);
    },
  };
}
