import { type Kysely, sql } from "kysely";
import type { Description } from "../../model.ts";
import type { Schema } from "../schema.ts";
import { nameOf } from "./names.ts";

/** A collection as pages show it. */
export interface ListedCollection {
  readonly id: number;
  readonly title: string;
  readonly language: string | undefined;
  readonly url: string;
  readonly summary: string | undefined;
  /** Its source still names it. */
  readonly isListed: boolean;
}

/** Collections of a source, and how many it has in all. */
export interface SomeCollections {
  readonly shown: readonly ListedCollection[];
  readonly count: number;
}

interface CollectionRow {
  readonly id: number;
  readonly source_id: number;
  readonly url: string;
  readonly description: Description | null;
  readonly is_listed: boolean;
  readonly count: number;
}

/**
 * The first collections of each source, by the sources' ids: those that it still names come first.
 *
 * @param most how many of each source
 */
export async function someCollections(
  database: Kysely<Schema>,
  sources: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, SomeCollections>> {
  if (sources.length === 0) return new Map();
  const { rows } = await sql<CollectionRow>`
    SELECT * FROM (
      SELECT id, source_id, url, description, is_listed,
        row_number() OVER (PARTITION BY source_id ORDER BY is_listed DESC, url, id) AS place,
        (count(*) OVER (PARTITION BY source_id))::integer AS count
      FROM collection WHERE source_id IN (${sql.join(sources)})
    ) AS ranked
    WHERE place <= ${most} ORDER BY source_id, place`.execute(database);
  const bySource = Map.groupBy(rows, ({ source_id }) => source_id);
  return new Map(
    [...bySource].map(([source, found]) => [
      source,
      { shown: found.map(toCollection), count: found[0]?.count ?? 0 },
    ]),
  );
}

function toCollection({ id, url, description, is_listed }: CollectionRow): ListedCollection {
  return {
    id,
    title: nameOf(description, url),
    language: description?.language,
    url,
    summary: description?.summary,
    isListed: is_listed,
  };
}
