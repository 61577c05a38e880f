import { type Kysely, type RawBuilder, SqliteAdapter, sql } from "kysely";

/** The words in which the two databases differ. */

type Database<Tables> = Pick<Kysely<Tables>, "getExecutor">;

export function isSqlite<Tables>(database: Database<Tables>): boolean {
  return database.getExecutor().adapter instanceof SqliteAdapter;
}

/** A value of a column of `rows`. */
export type Cell = string | number | null;

/** What a column of `rows` holds. */
export type Type = keyof typeof TYPES;

const TYPES = { text: "text", number: "double precision", integer: "bigint" } as const;

/**
 * Rows as a table of a query: very many travel as one JSON parameter.
 *
 * @param name the table's, in the query
 * @param columns what each holds; the values stand under the same names
 */
export function rows<Name extends string, Tables>(
  database: Database<Tables>,
  name: string,
  columns: Readonly<Record<Name, Type>>,
  values: readonly Readonly<Record<Name, Cell>>[],
): RawBuilder<unknown> {
  const json = JSON.stringify(values);
  const all = Object.entries<Type>(columns);
  if (isSqlite(database)) {
    const list = all.map(([column]) => sql`value ->> ${sql.lit(column)} AS ${sql.id(column)}`);
    return sql`(SELECT ${sql.join(list)} FROM json_each(${json})) AS ${sql.id(name)}`;
  }
  const list = all.map(([column, type]) => sql`${sql.id(column)} ${sql.raw(TYPES[type])}`);
  return sql`json_to_recordset(${json}::json) AS ${sql.id(name)} (${sql.join(list)})`;
}

/** Texts as a subquery, as one parameter: a database bounds how many of those there are. */
export function texts<Tables>(
  database: Database<Tables>,
  values: readonly string[],
): RawBuilder<string> {
  const json = JSON.stringify(values);
  return isSqlite(database)
    ? sql`(SELECT value FROM json_each(${json}))`
    : sql`(SELECT json_array_elements_text(${json}::json))`;
}

/** Ids as a subquery, like `texts`. */
export function ids<Tables>(
  database: Database<Tables>,
  values: readonly number[],
): RawBuilder<number> {
  const json = JSON.stringify(values);
  return isSqlite(database)
    ? sql`(SELECT value FROM json_each(${json}))`
    : sql`(SELECT json_array_elements_text(${json}::json)::bigint)`;
}

/** Pairs of an id and a text as a subquery, for `(id, text) IN …`. */
export function pairs<Tables>(
  database: Database<Tables>,
  values: readonly (readonly [number, string])[],
): RawBuilder<unknown> {
  const json = JSON.stringify(values);
  return isSqlite(database)
    ? sql`(SELECT value ->> 0, value ->> 1 FROM json_each(${json}))`
    : sql`(SELECT (value ->> 0)::bigint, value ->> 1 FROM json_array_elements(${json}::json))`;
}

/** Locks the rows of a query up to the end of the transaction; in SQLite, only one writes at a time. */
export function forUpdate<Tables>(
  database: Database<Tables>,
  { of, skipLocked = false }: { readonly of?: string; readonly skipLocked?: boolean } = {},
): RawBuilder<unknown> {
  if (isSqlite(database)) return sql``;
  const table = of === undefined ? sql`` : sql` OF ${sql.id(of)}`;
  return sql`FOR UPDATE${table}${skipLocked ? sql` SKIP LOCKED` : sql``}`;
}

/** The database's own clock, in UTC seconds: workers' clocks may differ. */
export function clock<Tables>(database: Database<Tables>): RawBuilder<number> {
  return isSqlite(database)
    ? sql`unixepoch('subsec')`
    : sql`extract(epoch FROM clock_timestamp())::double precision`;
}

/** The earlier of two times; where one is unknown, that is. */
export function earlier(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(CASE WHEN ${one} < ${other} THEN ${one} ELSE ${other} END)`;
}

/**
 * Joins rows of a table whose ids a subquery gives for each row of the query. PostgreSQL would run the subquery
 * for each pair of rows, were it not lateral; SQLite knows no lateral joins, and does not need them.
 */
export function joinEach<Tables>(
  database: Database<Tables>,
  table: RawBuilder<unknown>,
  wanted: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return isSqlite(database)
    ? sql`JOIN ${table} ON ${table}.id IN (${wanted})`
    : sql`CROSS JOIN LATERAL (${wanted}) AS wanted (id) JOIN ${table} ON ${table}.id = wanted.id`;
}
