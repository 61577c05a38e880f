import { identityOf } from "@rs-emit/feeds";
import { countEquals } from "../../src/changes/count-equals.ts";
import { type IdentifiedChange, resourceKey } from "../../src/changes/identified.ts";
import type { SeenChanges } from "../../src/changes/list-overlap.ts";
import type { GoneChange } from "../../src/changes/redated.ts";
import {
  type KnownChanges,
  type Selection,
  selectNew,
  unseenIn,
} from "../../src/changes/select-new.ts";
import { DAY } from "./pages.ts";
import type { LogReading } from "./transports.ts";
import type { LogEntry } from "./versions.ts";

type LogChange = IdentifiedChange & { readonly entry: LogEntry };

/** What `store/check/memory.ts` and `changes/select-new.ts` do, in a few maps. */
export class PlainMemory {
  readonly #seen = new Map<string, IdentifiedChange>();
  readonly #lists = new Map<string, ReadonlySet<string>>();
  /** All that was told. */
  readonly reported: LogEntry[] = [];

  /** Selects what is new of a reading, and remembers it. */
  take({ lists, named, now, unread }: LogReading): Selection {
    const until = now + DAY;
    const read = [...lists].map(
      ([name, { entries }]) => [name, identified(entries, name)] as const,
    );
    const listed = this.#counted(
      read.flatMap(([, changes]) => changes),
      { lists, named },
    );
    const dropped = [...this.#lists.keys()].filter((name) => !named.includes(name));
    const known = this.#known(listed, new Set([...lists.keys(), ...dropped]), until);
    const selection = selectNew(known);
    const entries = new Map(listed.map(({ identity, entry }) => [identity, entry]));
    this.reported.push(...selection.changes.flatMap(({ identity }) => entries.get(identity) ?? []));
    const replaced = new Set(selection.replaced.values());
    for (const change of known.unseen) this.#seen.set(change.identity, change);
    for (const name of lists.keys()) {
      const waiting = this.#statedBy(name).filter(({ datetime }) => datetime > until);
      const changes = listed.filter(({ list }) => list === name);
      this.#lists.set(name, new Set([...waiting, ...changes].map(({ identity }) => identity)));
    }
    for (const name of dropped) {
      const left = this.#statedBy(name).filter(({ identity }) => !replaced.has(identity));
      if (unread === 0) this.#lists.delete(name);
      else this.#lists.set(name, new Set(left.map(({ identity }) => identity)));
    }
    return selection;
  }

  #counted(
    changes: readonly LogChange[],
    { lists: read, named }: Pick<LogReading, "lists" | "named">,
  ): readonly LogChange[] {
    const lists = [...this.#lists].filter(([name]) => named.includes(name));
    const seen: SeenChanges = {
      get: (identity) => {
        const known = this.#seen.get(identity);
        const own = lists.filter(([, identities]) => identities.has(identity));
        return known && { hash: known.hash ?? null, lists: new Set(own.map(([name]) => name)) };
      },
      isLookedUp: () => true,
    };
    return countEquals(changes, seen, (list) => read.get(list)?.isPartial ?? false).changes;
  }

  #known(
    listed: readonly IdentifiedChange[],
    reread: ReadonlySet<string>,
    until: number,
  ): KnownChanges {
    const now = new Set(listed.map(({ identity }) => identity));
    const others = [...this.#lists].filter(([name]) => !reread.has(name));
    const elsewhere = new Set(others.flatMap(([, identities]) => [...identities]));
    const before = [...reread].map((name) => this.#statedBy(name));
    const gone = before.flatMap((changes): GoneChange[] => {
      const newestOfList = changes.reduce((time, one) => Math.max(time, one.datetime), 0);
      return changes
        .filter(({ identity, datetime }) => {
          return datetime <= until && !now.has(identity) && !elsewhere.has(identity);
        })
        .map(({ identity, kind, datetime, relativeUrl, hash }) => {
          const resource = resourceKey({ relativeUrl });
          return { identity, kind, datetime, hash: hash ?? null, resource, newestOfList };
        });
    });
    const named = new Map(
      before.flat().map(({ identity, relativeUrl }) => [identity, relativeUrl]),
    );
    return {
      listed,
      unseen: unseenIn(listed, this.#seen),
      gone: gone.sort((one, other) => one.datetime - other.datetime),
      isLog: named.size > new Set(named.values()).size,
      isPast: () => false,
      listedBefore: named.size,
    };
  }

  #statedBy(list: string): IdentifiedChange[] {
    return [...(this.#lists.get(list) ?? [])].flatMap((identity) => this.#seen.get(identity) ?? []);
  }
}

/** As `identifiedIn` does, but each identity is made once. */
function identified(entries: readonly LogEntry[], list: string): readonly LogChange[] {
  const known = made.get(entries);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  const changes = entries.map((entry) => {
    const { page, kind, datetime, hash } = entry;
    const name = `${page} ${kind} ${datetime}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return {
      entry,
      url: `https://example.org/${page}`,
      relativeUrl: `./${page}`,
      identity: identityIn({ relativeUrl: `./${page}`, kind, datetime }, count),
      count,
      kind,
      datetime,
      hash: hash === "" ? undefined : `sha-256:${hash}`,
      isMinor: false,
      isOfPublication: false,
      list,
    };
  });
  made.set(entries, changes);
  return changes;
}

const made = new WeakMap<readonly LogEntry[], readonly LogChange[]>();

function identityIn(change: Parameters<typeof identityOf>[0], count: number): string {
  const name = `${count} ${change.relativeUrl} ${change.kind} ${change.datetime}`;
  const identity = identities.get(name) ?? identityOf(change, count);
  identities.set(name, identity);
  return identity;
}

const identities = new Map<string, string>();
