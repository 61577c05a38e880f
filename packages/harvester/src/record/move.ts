import type { Kysely } from "kysely";
import { claimDescription, sourceAt } from "../check/claim.ts";
import type { Lease } from "../check/lease.ts";
import { isBlocked } from "../follow/blocked.ts";
import { siteHost } from "../read/place.ts";
import type { Reading } from "../read/reading.ts";
import type { Schema } from "../store/schema.ts";

/** Checks in a row that must be led to the same new address before it is believed. */
const SIGHTINGS = 3;

/** What becomes of a source's address: it follows a permanent redirect that was seen repeatedly. */
export async function moveOf(database: Kysely<Schema>, { source }: Lease, reading: Reading) {
  const { movedTo } = reading;
  if (movedTo === undefined || movedTo === source.description_url) {
    return source.moved_to === null ? {} : { moved_to: null, moved_sightings: 0 };
  }
  const sightings = movedTo === source.moved_to ? source.moved_sightings + 1 : 1;
  const isFollowed =
    sightings >= SIGHTINGS &&
    hasMovedWhole(reading, movedTo) &&
    (await isFree(database, source.id, movedTo));
  if (!isFollowed) return { moved_to: movedTo, moved_sightings: sightings };
  const { hostname } = new URL(movedTo);
  return { description_url: movedTo, host: hostname, moved_to: null, moved_sightings: 0 };
}

/**
 * Whether a site's documents name it by its new host, too. While they speak of the old one, only that one's
 * address lends them its word.
 */
function hasMovedWhole({ collections }: Reading, movedTo: string): boolean {
  const host = siteHost(movedTo);
  return collections.every(({ url, capabilityListUrl, listUrls }) =>
    [url, capabilityListUrl, ...listUrls].every((named) => siteHost(named) === host),
  );
}

/** Whether no other source is there, and nobody has blocked it. */
async function isFree(
  database: Kysely<Schema>,
  source: number,
  descriptionUrl: string,
): Promise<boolean> {
  await claimDescription(database, descriptionUrl);
  const other = await sourceAt(database, descriptionUrl, source);
  return other === undefined && !(await isBlocked(database, new URL(descriptionUrl).hostname));
}
