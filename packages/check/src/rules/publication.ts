import {
  type DocumentKind,
  type Entry,
  kindOf,
  type ParsedDocument,
  spanOf,
  type TimeSpan,
  urlKey,
} from "@rs-emit/documents";
import type { Demand } from "./rule.ts";

export class Member {
  readonly url: string;
  readonly document: ParsedDocument;
  readonly kind: DocumentKind | undefined;
  #listed: ReadonlySet<string> | undefined;

  constructor(url: string, document: ParsedDocument) {
    this.url = url;
    this.document = document;
    this.kind = kindOf(document.root, document.metadata.capability);
  }

  /** The host of its URL; a notification may have none. */
  get host(): string | undefined {
    return URL.canParse(this.url) ? new URL(this.url).host : undefined;
  }

  /** The target of the document's own link with a relation. */
  link(rel: string): string | undefined {
    return this.document.links.find((link) => link.rel === rel)?.href;
  }

  lists(url: string): boolean {
    this.#listed ??= new Set(this.document.entries.map(({ loc }) => urlKey(loc)));
    return this.#listed.has(urlKey(url));
  }
}

export class LinkedSet {
  readonly members: readonly Member[];
  /** Whether the set is a whole publication, so that no other document exists. */
  readonly complete: boolean;
  readonly #byUrl: ReadonlyMap<string, Member>;

  constructor(documents: ReadonlyMap<string, ParsedDocument>, complete: boolean) {
    this.members = [...documents].map(([url, document]) => new Member(url, document));
    this.complete = complete;
    this.#byUrl = new Map(this.members.map((member) => [urlKey(member.url), member]));
  }

  get(url: string | undefined): Member | undefined {
    return url === undefined ? undefined : this.#byUrl.get(urlKey(url));
  }

  ofKind(...kinds: readonly DocumentKind[]): readonly Member[] {
    return this.members.filter(({ kind }) => kind !== undefined && kinds.includes(kind));
  }
}

type SetReport = (member: Member, where: string, what: string) => void;

/** A rule for documents that link to each other. */
export type SetRule = Demand & {
  check(set: LinkedSet, report: SetReport): void;
};

/** The documents that implement a capability of a set of resources. */
interface PublicationParts {
  readonly top: Member;
  readonly parts: readonly Member[];
  readonly whole: boolean;
}

/** The parts of a capability in the set of documents. */
export function partsOf(
  set: LinkedSet,
  list: Member,
  capability: string,
): PublicationParts | undefined {
  const entry = list.document.entries.find(({ metadata }) => metadata?.capability === capability);
  const top = set.get(entry?.loc);
  if (top === undefined || top.document.metadata.capability !== capability) return undefined;
  if (top.document.root === "urlset") return { top, parts: [top], whole: true };
  const parts = top.document.entries.flatMap(({ loc }) => set.get(loc) ?? []);
  return { top, parts, whole: parts.length === top.document.entries.length };
}

/** The copy of a package's manifest, if the set has it. */
export function manifestOf(set: LinkedSet, { links }: Entry): Member | undefined {
  return set.get(links?.find(({ rel }) => rel === "contents")?.href);
}

export interface CheckedChange {
  readonly member: Member;
  readonly number: number;
  readonly loc: string;
  readonly change: string | undefined;
  readonly datetime: TimeSpan | undefined;
}

/** The changes of a set of resources, oldest list first. */
export function* logOf(set: LinkedSet, capabilityList: Member): Iterable<CheckedChange> {
  for (const member of partsOf(set, capabilityList, "changelist")?.parts ?? []) {
    for (const [at, { loc, metadata }] of member.document.entries.entries()) {
      const datetime = spanOf(metadata?.datetime);
      yield { member, number: at + 1, loc, change: metadata?.change, datetime };
    }
  }
}

/** Which hosts have the resources of a publication. */
export const HOST_RULES: readonly SetRule[] = [
  {
    id: "list-host",
    why: "Followers believe a site only what it says of its own host: they leave out every entry of this list.",
    cure: "Publish the documents on the host of the resources, or correct the URIs.",
    should: "rs-emit",
    check(set, report) {
      const own = ownHosts(set);
      if (own.size === 0) return;
      for (const list of set.ofKind("change-list", "resource-list")) {
        const hosts = list.document.entries.map(({ loc }) => hostOf(loc));
        const [first] = hosts;
        if (first === undefined || hosts.some((host) => host === undefined || own.has(host)))
          continue;
        report(list, "entry 1, loc", `Every entry is on another host, such as ${first}.`);
      }
    },
  },
];

function ownHosts(set: LinkedSet): ReadonlySet<string> {
  const tops: readonly Member[] = set.ofKind(
    "source-description",
    "source-description-index",
    "capability-list",
  );
  return new Set(tops.flatMap(({ url }) => hostOf(url) ?? []));
}

/** A URL's host in its readable form; `undefined` for an invalid URL. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : undefined;
}
