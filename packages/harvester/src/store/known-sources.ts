import { isBare, isHttp, isOfHost, relativeTo, siteFolder, urlOf } from "@rs-emit/reader";
import { sql } from "kysely";
import { texts } from "./dialects.ts";
import type { Database, SourceState } from "./schema.ts";
import { siteKey } from "./source.ts";

export interface KnownSource {
  readonly id: number;
  readonly state: SourceState;
  readonly host: string;
}

interface FoundSource extends KnownSource {
  readonly description_url: string | null;
}

/**
 * Finds sources by their given address, one that was merged into them, a document or a collection. A typed `https://` is not
 * led to what is read by http.
 *
 * @param addresses as `normalizeAddress` spells them
 */
export async function knownSources(
  database: Database,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, KnownSource>> {
  const urls = addresses.map(urlOf);
  const columns = sql`source.id AS id, state, host, description_url`;
  const { rows } = await sql<FoundSource & { address: string | null; site_key: string | null }>`
    SELECT ${columns}, address, site_key FROM source
      WHERE address IN (${texts(database, addresses.flatMap(spellings))})
    UNION SELECT ${columns}, address, site_key FROM source
      WHERE site_key IN (${texts(database, urls.map(siteKey))})
    UNION SELECT ${columns}, merged_source.address, NULL AS site_key
      FROM merged_source JOIN source ON source.id = into_id AND state <> 'unfollowed'
      WHERE merged_source.address IN (${texts(database, addresses)})`.execute(database);
  const byAddress = new Map(rows.map((row) => [row.address, row]));
  const byKey = new Map(rows.map((row) => [row.site_key, row]));
  const byCollection = await sourcesOfCollections(database, urls);
  const known = new Map<string, KnownSource>();
  for (const [at, address] of addresses.entries()) {
    const url = urls[at] ?? "";
    const others = [
      ...spellings(address).map((one) => byAddress.get(one)),
      byKey.get(siteKey(url)),
      byCollection.get(url),
    ];
    const one = byAddress.get(address) ?? others.find((other) => other && leads(address, other));
    if (one !== undefined) known.set(address, one);
  }
  return known;
}

/** A bare name and the same by https, which is asked first. */
function spellings(address: string): string[] {
  return isHttp(address) ? [address] : [urlOf(address).replace(/^https:\/\//, ""), urlOf(address)];
}

function leads(address: string, { description_url: found }: FoundSource): boolean {
  return found !== null && (isBare(address) || isHttp(address) || !isHttp(found));
}

/**
 * Collections outside a source's folder prove nothing: hosts may have several owners. Nor do those of a source that only
 * leads to another host.
 */
async function sourcesOfCollections(
  database: Database,
  urls: readonly string[],
): Promise<ReadonlyMap<string, FoundSource>> {
  const addresses = sql`(${texts(database, urls)})`;
  const columns = sql`source.id AS id, source.state, source.host, source.description_url, source.address
    FROM collection JOIN source ON source.id = collection.source_id AND source.state <> 'unfollowed'`;
  const { rows } = await sql<FoundSource & { url: string; address: string | null }>`
    SELECT collection.url AS url, ${columns} WHERE collection.url IN ${addresses}
    UNION SELECT collection.capability_list_url AS url, ${columns}
      WHERE collection.capability_list_url IN ${addresses}
    ORDER BY id DESC`.execute(database);
  const own = rows.filter(
    ({ description_url: at, url, address }) =>
      at !== null && isOfHost(address, at) && relativeTo(siteFolder(at), url) !== undefined,
  );
  // Of several, the oldest wins.
  return new Map(own.map((row) => [row.url, row]));
}
