import { type Span, spanOf } from "../span.ts";
import type { LinkedSet, Member } from "./linked.ts";

/** What implements a capability of a set of resources. */
export interface Parts {
  /** The document the Capability List names: the list, or the index of its parts. */
  readonly top: Member;
  readonly parts: readonly Member[];
  /** Whether no part is missing. */
  readonly whole: boolean;
}

/** What implements a capability, as far as it is in the set of documents. */
export function partsOf(set: LinkedSet, list: Member, capability: string): Parts | undefined {
  const entry = list.document.entries.find(({ metadata }) => metadata?.capability === capability);
  const top = set.get(entry?.loc);
  if (top === undefined || top.document.metadata.capability !== capability) return undefined;
  if (top.document.root === "urlset") return { top, parts: [top], whole: true };
  const parts = top.document.entries.flatMap(({ loc }) => set.get(loc) ?? []);
  return { top, parts, whole: parts.length === top.document.entries.length };
}

/** A change, and where it is told. */
export interface Change {
  readonly member: Member;
  readonly number: number;
  readonly loc: string;
  readonly change: string | undefined;
  readonly datetime: Span | undefined;
}

/** The changes of a set of resources, oldest list first. */
export function* logOf(set: LinkedSet, capabilityList: Member): Iterable<Change> {
  for (const member of partsOf(set, capabilityList, "changelist")?.parts ?? []) {
    for (const [at, { loc, metadata }] of member.document.entries.entries()) {
      const datetime = spanOf(metadata?.datetime);
      yield { member, number: at + 1, loc, change: metadata?.change, datetime };
    }
  }
}
