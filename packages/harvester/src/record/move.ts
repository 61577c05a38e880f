import type { Kysely } from "kysely";
import type { Lease } from "../check/lease.ts";
import type { Reading } from "../read/reading.ts";
import type { Schema } from "../store/schema.ts";

/** Checks in a row that must be led to the same new address before it is believed. */
const SIGHTINGS = 3;

/** What becomes of a source's address: it follows a permanent redirect that was seen repeatedly. */
export async function moveOf(database: Kysely<Schema>, { source }: Lease, { movedTo }: Reading) {
  if (movedTo === undefined || movedTo === source.description_url) {
    return source.moved_to === null ? {} : { moved_to: null, moved_sightings: 0 };
  }
  const sightings = movedTo === source.moved_to ? source.moved_sightings + 1 : 1;
  const isFollowed = sightings >= SIGHTINGS && !(await isTaken(database, movedTo));
  if (!isFollowed) return { moved_to: movedTo, moved_sightings: sightings };
  const { hostname } = new URL(movedTo);
  return { description_url: movedTo, host: hostname, moved_to: null, moved_sightings: 0 };
}

async function isTaken(database: Kysely<Schema>, descriptionUrl: string): Promise<boolean> {
  const other = await database
    .selectFrom("source")
    .select("id")
    .where("description_url", "=", descriptionUrl)
    .executeTakeFirst();
  return other !== undefined;
}
