import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { EmitOptions } from "@rs-emit/core";

/** What released versions wrote, as `scripts/freeze-format.ts` kept it. */
export const FROZEN = join(import.meta.dirname, "frozen");

/** A site as a version published it last: `sites/<name>` has its pages and documents. */
export interface FrozenSite {
  readonly url: string;
  readonly options: Partial<EmitOptions>;
  /** URLs of pages that a server makes, by a builder's word. */
  readonly onDemand?: readonly string[];
  /** The most entries of a document; absent for the specification's own limit. */
  readonly entries?: number;
}

/** What is kept of a version, in `frozen.json`. */
export interface FrozenFacts {
  /** The number of the format. */
  readonly format: number;
  readonly commit: string;
  readonly sites: Readonly<Record<string, FrozenSite>>;
  /** The changes that the feed of everything told, by the harvester's databases. */
  readonly told: readonly string[];
}

export interface Frozen extends FrozenFacts {
  readonly folder: string;
  /** The version of the packages. */
  readonly version: string;
}

/** Every version that was frozen, the oldest first. */
export function frozenVersions(): readonly Frozen[] {
  const files = globSync(join(FROZEN, "*/frozen.json"));
  const all = files.map((file): Frozen => {
    const facts: FrozenFacts = JSON.parse(readFileSync(file, "utf8"));
    return { ...facts, folder: dirname(file), version: basename(dirname(file)) };
  });
  const byVersion = new Intl.Collator("en", { numeric: true });
  return all.sort((one, other) => byVersion.compare(one.version, other.version));
}
