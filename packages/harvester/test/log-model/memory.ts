import { type IdentifiedChange, resourceKey } from "../../src/changes/identified.ts";
import type { GoneChange } from "../../src/changes/redated.ts";
import { type Memory, type Selection, selectNew } from "../../src/changes/select-new.ts";
import { DAY } from "./pages.ts";
import type { LogReading } from "./transports.ts";
import type { LogEntry } from "./versions.ts";

export type LogChange = IdentifiedChange & { readonly id: number; readonly entry: LogEntry };

/** What `store/memory.ts` and `check/selection.ts` do, in a few maps. */
export class PlainMemory {
  readonly #seen = new Map<string, IdentifiedChange>();
  readonly #lists = new Map<string, ReadonlySet<string>>();
  /** Selects what is new of a reading, and remembers it. */
  take({ lists, named, now, unread }: LogReading): Selection {
    const until = now + DAY;
    const read = [...lists].map(
      ([name, { entries }]) => [name, identified(entries, name)] as const,
    );
    const stated = read.flatMap(([, changes]) => changes);
    const dropped = [...this.#lists.keys()].filter((name) => !named.includes(name));
    const selection = selectNew(
      stated,
      this.#memory(stated, new Set([...lists.keys(), ...dropped]), until),
    );
    const replaced = new Set(selection.replaced.values());
    for (const change of selection.unseen) this.#seen.set(change.identity, change);
    for (const [name, changes] of read) {
      const waiting = this.#statedBy(name).filter(({ datetime }) => datetime > until);
      this.#lists.set(name, new Set([...waiting, ...changes].map(({ identity }) => identity)));
    }
    for (const name of dropped) {
      const left = this.#statedBy(name).filter(({ identity }) => !replaced.has(identity));
      if (unread === 0) this.#lists.delete(name);
      else this.#lists.set(name, new Set(left.map(({ identity }) => identity)));
    }
    return selection;
  }

  #memory(stated: readonly IdentifiedChange[], reread: ReadonlySet<string>, until: number): Memory {
    const now = new Set(stated.map(({ identity }) => identity));
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
      seen: this.#seen,
      gone: gone.sort((one, other) => one.datetime - other.datetime),
      isLog: named.size > new Set(named.values()).size,
      knownFrom: Number.NEGATIVE_INFINITY,
      statedBefore: named.size,
    };
  }

  #statedBy(list: string): IdentifiedChange[] {
    return [...(this.#lists.get(list) ?? [])].flatMap((identity) => this.#seen.get(identity) ?? []);
  }
}

/** With identities that can be read; how real ones are made is tested elsewhere. */
export function identified(entries: readonly LogEntry[], list: string): readonly LogChange[] {
  const known = made.get(entries);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  const changes = entries.map((entry) => {
    const { id, page, kind, datetime, hash } = entry;
    const name = `${page} ${kind} ${datetime}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return {
      id,
      entry,
      url: `https://example.org/${page}`,
      relativeUrl: `./${page}`,
      identity: `${count} ${name}`,
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
