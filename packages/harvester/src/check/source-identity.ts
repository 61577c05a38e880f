import { isHttp, isOfHost, type Reading, siteHost } from "@rs-emit/reader";
import { type SourceRow, siteKey } from "../store/source.ts";
import type { Facts } from "./facts.ts";

/** Where a source is after a check. */
export type SourceIdentity =
  | { readonly kind: "own"; readonly address: Partial<Address> }
  /** Another source is the same site. It takes the address where it had none, or had one by http. */
  | {
      readonly kind: "merged";
      readonly into: number;
      readonly revive: boolean;
      readonly address?: SiteAddress;
    }
  | { readonly kind: "blocked"; readonly host: string };

type SiteAddress = Pick<SourceRow, "description_url" | "site_key" | "host">;
type Address = SiteAddress & Pick<SourceRow, "moved_to" | "moved_sightings">;

/** Who has which Source Description, by `siteKey`, and which hosts are blocked. */
export interface OtherSources {
  readonly sites: ReadonlyMap<string, Pick<SourceRow, "id" | "state">>;
  readonly blocked: ReadonlySet<string>;
  /** Another source that another reader reads for the same site. */
  readonly duplicate: number | undefined;
  /** Another source that was followed by another reader, and is the site that was found now. */
  readonly predecessor: number | undefined;
}

/** The addresses whose owners decide where a source is. */
export function addressesIn(row: SourceRow, { descriptionUrl, reading }: Facts): string[] {
  const found = isFound(row, descriptionUrl) ? [descriptionUrl] : [];
  return [...found, reading?.movedTo].filter((url) => url !== undefined);
}

/** Whether a check found a Source Description that a source had not, or had only by http. */
function isFound({ description_url: known }: SourceRow, url: string | undefined): url is string {
  return url !== undefined && (known === null || (isHttp(known) && !isHttp(url)));
}

/**
 * Where a source is: at the Source Description that was found first, or at the target of its permanent redirects. Of two
 * sources with one Source Description, both on its host, the newer ends, and the older is checked again if it was given up. A site that
 * another reader has followed stays where that was: what it has reported is not reported again.
 */
export function sourceIdentityOf(
  {
    source: row,
    duplicate,
    predecessor,
    ...neighbours
  }: OtherSources & { readonly source: SourceRow },
  { descriptionUrl, reading }: Facts,
): SourceIdentity {
  if (duplicate !== undefined) return { kind: "merged", into: duplicate, revive: false };
  let address: Partial<Address> = {};
  if (isFound(row, descriptionUrl)) {
    const found = addressAt(row, descriptionUrl);
    const { host, site_key: key } = found;
    const owner = key === null ? undefined : neighbours.sites.get(key);
    if (owner !== undefined && owner.id !== row.id) {
      const revive = owner.state !== "followed" && owner.state !== "paused";
      return { kind: "merged", into: owner.id, revive, address: found };
    }
    if (neighbours.blocked.has(host)) return { kind: "blocked", host };
    if (predecessor !== undefined) {
      return { kind: "merged", into: predecessor, revive: true, address: found };
    }
    address = found;
  }
  if (reading === undefined) return { kind: "own", address };
  return {
    kind: "own",
    address: { ...address, ...moveOf({ ...row, ...address }, reading, neighbours) },
  };
}

function addressAt({ address }: SourceRow, url: string) {
  const site_key = isOfHost(address, url) ? siteKey(url) : null;
  return { description_url: url, site_key, host: new URL(url).hostname };
}

/** Checks in a row that must find the same permanent redirect before the address changes. */
const SIGHTINGS = 3;

function moveOf(
  row: SourceRow,
  reading: Reading,
  { sites, blocked }: Pick<OtherSources, "sites" | "blocked">,
) {
  const { movedTo } = reading;
  const none = { moved_to: null, moved_sightings: 0 };
  if (movedTo === undefined || movedTo === row.description_url) return none;
  const moved_sightings = movedTo === row.moved_to ? row.moved_sightings + 1 : 1;
  const owner = sites.get(siteKey(movedTo));
  const isFollowed =
    moved_sightings >= SIGHTINGS &&
    hasMovedWhole(reading, movedTo) &&
    (owner === undefined || owner.id === row.id) &&
    !blocked.has(new URL(movedTo).hostname);
  if (!isFollowed) return { moved_to: movedTo, moved_sightings };
  return { ...addressAt(row, movedTo), ...none };
}

/** Whether all documents use the new host. While any names the old one, the address stays. */
function hasMovedWhole({ collections }: Reading, movedTo: string): boolean {
  const host = siteHost(movedTo);
  return collections.every(({ url, capabilityListUrl, listUrls }) =>
    [url, capabilityListUrl, ...listUrls].every((named) => siteHost(named) === host),
  );
}
