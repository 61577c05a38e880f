import { type Kysely, sql } from "kysely";
import { relativeTo, siteFolder } from "../address.ts";
import { texts } from "./portable.ts";
import type { Schema, SourceState } from "./schema.ts";
import { siteKey } from "./source.ts";

export interface KnownSource {
  readonly id: number;
  readonly state: SourceState;
  readonly host: string;
}

/** Finds sources by their given address, a document or a collection. */
export async function knownSources(
  database: Kysely<Schema>,
  urls: readonly string[],
): Promise<ReadonlyMap<string, KnownSource>> {
  const columns = sql`id, state, host, address, site_key`;
  const { rows } = await sql<KnownSource & { address: string | null; site_key: string | null }>`
    SELECT ${columns} FROM source WHERE address IN ${texts(database, urls)}
    UNION SELECT ${columns} FROM source WHERE site_key IN ${texts(database, urls.map(siteKey))}`.execute(
    database,
  );
  const byAddress = new Map(rows.map((row) => [row.address, row]));
  const byKey = new Map(rows.map((row) => [row.site_key, row]));
  const byCollection = await sourcesOfCollections(database, urls);
  const known = new Map<string, KnownSource>();
  for (const url of urls) {
    const one = byAddress.get(url) ?? byKey.get(siteKey(url)) ?? byCollection.get(url);
    if (one !== undefined) known.set(url, one);
  }
  return known;
}

/** Collections outside a source's folder prove nothing: hosts may have several owners. */
async function sourcesOfCollections(
  database: Kysely<Schema>,
  urls: readonly string[],
): Promise<ReadonlyMap<string, KnownSource>> {
  const addresses = texts(database, urls);
  const columns = sql`source.id AS id, source.state, source.host, source.description_url
    FROM collection JOIN source ON source.id = collection.source_id AND source.state <> 'unfollowed'`;
  const { rows } = await sql<KnownSource & { url: string; description_url: string | null }>`
    SELECT collection.url AS url, ${columns} WHERE collection.url IN ${addresses}
    UNION SELECT collection.capability_list_url AS url, ${columns}
      WHERE collection.capability_list_url IN ${addresses}
    ORDER BY id DESC`.execute(database);
  const own = rows.filter(
    ({ description_url: at, url }) => at !== null && relativeTo(siteFolder(at), url) !== undefined,
  );
  // Of several, the oldest wins.
  return new Map(own.map((row) => [row.url, row]));
}
