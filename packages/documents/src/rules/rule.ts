import type { DocumentKind, Entry, Head, Link, Metadata } from "../model.ts";
import type { Profile, RuleSummary } from "./finding.ts";
import type { Span } from "./span.ts";

/** The document under judgement, without its entries. */
export interface Subject {
  readonly head: Head;
  /** Its kind; `undefined` for a document the framework does not know. */
  readonly kind: DocumentKind | undefined;
  /** Its URL, where known. */
  readonly url: string | undefined;
  /** The datetimes of its own `rs:md` that can be understood. */
  readonly times: Readonly<Record<TimeAttribute, Span | undefined>>;
}

/** The attributes that tell when a snapshot was taken, or which changes are included. */
export type TimeAttribute = "at" | "completed" | "from" | "until";

/** Says that a rule is broken, where (within the entry, while one is judged), and what to do. */
export type Report = (where: string, message: string) => void;

/** A check that needs to remember earlier entries. */
export interface Series {
  entry(entry: Entry): void;
  end?(): void;
}

/** A rule for single documents. Each of its checks looks at an entry once and holds none. */
export interface Rule extends RuleSummary {
  /** The kinds it is for; every document, known or not, where absent. */
  readonly kinds?: readonly DocumentKind[];
  head?(subject: Subject, report: Report): void;
  entry?(entry: Entry, subject: Subject, report: Report): void;
  series?(subject: Subject, report: Report): Series;
}

/** An `rs:md` or an `rs:ln`: both may describe a representation. */
export type Carrier = Metadata | Link;

export const RESOURCESYNC_ONLY: readonly Profile[] = ["resourcesync"];
export const IFCC_ONLY: readonly Profile[] = ["ifcc-0001"];
export const BOTH: readonly Profile[] = ["resourcesync", "ifcc-0001"];

export const IFCC = "IFCC-0001";

const LONGEST_VALUE = 120;

/** The name of a section of the specification, as findings cite it. */
export function section(number: string): string {
  return `ResourceSync 1.1, section ${number}`;
}

/** The name of a section of the Change Notification specification. */
export function notificationSection(number: string): string {
  return `ResourceSync Change Notification 1.0.1, section ${number}`;
}

/** How findings name a link. */
export function linkName(link: Link): string {
  return `rs:ln rel=${brief(link.rel)}`;
}

/** A value as findings repeat it: documents come from anybody, and a value may be a megabyte. */
export function brief(value: string): string {
  return value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE)}…`;
}

/** A check of every `rs:md`, the document's own and those of its entries. */
export function onMetadata(
  check: (metadata: Metadata, report: Report) => void,
): Required<Pick<Rule, "head" | "entry">> {
  return {
    head: ({ head }, report) => check(head.metadata, report),
    entry: ({ metadata }, _, report) => {
      if (metadata !== undefined) check(metadata, report);
    },
  };
}

/** A check of every `rs:ln`, the document's own and those of its entries. */
export function onLinks(
  check: (link: Link, report: Report, subject: Subject) => void,
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

/** A check of every `rs:md` and every `rs:ln`. */
export function onCarriers(
  check: (carrier: Carrier, name: string, report: Report) => void,
): Required<Pick<Rule, "head" | "entry">> {
  const metadata = onMetadata((carrier, report) => check(carrier, "rs:md", report));
  const links = onLinks((link, report) => check(link, linkName(link), report));
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
