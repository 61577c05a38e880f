import { codeOf } from "@rs-emit/reader";
import {
  CompiledQuery,
  type Kysely,
  type QueryResult,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  sql,
  type Transaction,
} from "kysely";
import { inParts } from "./in-parts.ts";
import type { Database, Schema } from "./schema.ts";

/** What differs between the databases. Many values travel in one parameter: databases limit the number of these. */

type Connection = Pick<Kysely<unknown>, "getExecutor">;

/** A parameter of a statement: what of its values it is. */
type Parameter<Values> = <Value>(of: (values: Values) => Value) => RawBuilder<Value>;

/**
 * A statement whose text is always the same: it is compiled once for each kind of database. That takes longer than many of them
 * run.
 */
export function compiledOnce<Values, Found = unknown>(
  build: (
    given: Parameter<Values>,
    database: Connection,
  ) => { readonly compile: (database: Connection) => CompiledQuery<Found> },
): (database: Database, values: Values) => Promise<QueryResult<Found>> {
  const places = new Map<unknown, (values: Values) => unknown>();
  const statements = new Map<boolean, CompiledQuery<Found>>();
  const given: Parameter<Values> = (of) => {
    const place = Symbol();
    places.set(place, of);
    return sql`${place}`;
  };
  return (database, values) => {
    const kind = isSqlite(database);
    const statement = statements.get(kind) ?? build(given, database).compile(database);
    statements.set(kind, statement);
    const parameters = statement.parameters.map((one) => {
      const of = places.get(one);
      return of === undefined ? one : of(values);
    });
    return database.executeQuery({ ...statement, parameters });
  };
}

export function isSqlite(database: Connection): boolean {
  return database.getExecutor().adapter instanceof SqliteAdapter;
}

/** Whether a column has one of many texts. PostgreSQL asks an index for each element of an array, whatever its statistics say. */
export function isAmong(
  database: Connection,
  column: string,
  values: readonly string[],
): RawBuilder<SqlBool> {
  return isSqlite(database)
    ? sql`${sql.ref(column)} IN (${texts(database, values)})`
    : sql`${sql.ref(column)} = ANY(${values}::text[])`;
}

/** Whether a column has one of many ids. */
export function isAmongIds(
  database: Connection,
  column: string,
  values: readonly number[],
): RawBuilder<SqlBool> {
  return isSqlite(database)
    ? sql`${sql.ref(column)} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`
    : sql`${sql.ref(column)} = ANY(${values}::bigint[])`;
}

/** Texts as the rows of a query. */
export function texts(database: Connection, values: readonly string[]): RawBuilder<string> {
  return isSqlite(database)
    ? sql`SELECT value FROM json_each(${JSON.stringify(values)})`
    : sql`SELECT unnest(${values}::text[])`;
}

/** A row of a table, or some of its columns. */
export type Row<Columns> = Readonly<Record<keyof Columns, string | number | null>>;

/**
 * Inserts rows that have the same columns, in their order. A conflict or what is returned may follow.
 *
 * @param more columns that are computed from those of each row, which is `given`
 */
export function insertion<Columns extends Row<Columns>>(
  database: Connection,
  table: string,
  rows: readonly Columns[],
  more: Readonly<Record<string, RawBuilder<unknown>>> = {},
): RawBuilder<unknown> {
  const names = columnsOf(rows[0]);
  const columns = sql.join([list(names), ...Object.values(more)]);
  const into = sql`INSERT INTO ${sql.table(table)} (${list([...names, ...Object.keys(more)])})`;
  if (!isSqlite(database)) {
    const json = JSON.stringify(rows, [...names]);
    return sql`${into} SELECT ${columns}
      FROM json_populate_recordset(NULL::${sql.table(table)}, ${json}::json) AS given`;
  }
  // It reads arrays faster than objects. Without a condition, it would take a conflict for a part of a join.
  const json = JSON.stringify(rows.map((row) => names.map((name) => row[name])));
  const read = names.map((name, at) => sql`value ->> ${sql.lit(at)} AS ${sql.id(name)}`);
  return sql`${into} SELECT ${columns}
    FROM (SELECT ${sql.join(read)} FROM json_each(${json})) AS given WHERE true`;
}

/** Inserts very many rows, in their order. */
export async function insertMany<Columns extends Row<Columns>>(
  database: Database,
  table: string,
  rows: readonly Columns[],
  conflict: RawBuilder<unknown> = sql``,
): Promise<void> {
  const names = columnsOf(rows[0]);
  for (const some of inParts(rows)) {
    if (isSqlite(database)) {
      // A statement that runs for each row takes half as long as one that reads them from JSON.
      const text = sql`INSERT INTO ${sql.table(table)} (${list(names)}) VALUES (${sql.join(names)}) ${conflict}`;
      const values = some.map((row) => names.map((name) => row[name]));
      await database.executeQuery(CompiledQuery.raw(text.compile(database).sql, values));
    } else {
      await sql`${insertion(database, table, some)} ${conflict}`.execute(database);
    }
  }
}

/** After an insertion: rows whose keys are there get the other columns. */
export function replacing<Columns extends Row<Columns>>(
  rows: readonly Columns[],
  keys: readonly (keyof Columns & string)[],
): RawBuilder<unknown> {
  const others = columnsOf(rows[0]).filter((name) => !keys.includes(name));
  const set = others.map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`);
  return sql`ON CONFLICT (${list(keys)}) DO UPDATE SET ${sql.join(set)}`;
}

function columnsOf<Columns extends object>(row: Columns | undefined): (keyof Columns & string)[] {
  const names: (keyof Columns & string)[] = [];
  for (const name in row) names.push(name);
  return names;
}

function list(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.id(name)));
}

/** Locks the query's rows until the transaction ends. SQLite has one writer anyway. */
export function forUpdate(
  database: Connection,
  { of, skipLocked = false }: { readonly of?: string; readonly skipLocked?: boolean } = {},
): RawBuilder<unknown> {
  if (isSqlite(database)) return sql``;
  const table = of === undefined ? sql`` : sql` OF ${sql.id(of)}`;
  return sql`FOR UPDATE${table}${skipLocked ? sql` SKIP LOCKED` : sql``}`;
}

/** The database's clock, UTC seconds: workers' clocks may differ. */
export function clock(database: Connection): RawBuilder<number> {
  return isSqlite(database)
    ? sql`unixepoch('subsec')`
    : sql`extract(epoch FROM clock_timestamp())::double precision`;
}

/** All rows of a query as one JSON array of arrays: drivers take longer for many rows. */
export function arrays(database: Connection, columns: readonly string[]): RawBuilder<string> {
  const all = sql.join(columns.map((column) => sql.ref(column)));
  return isSqlite(database)
    ? sql`json_group_array(json_array(${all}))`
    : sql`json_agg(json_build_array(${all}))::text`;
}

/** One may end a deadlock, and then insert what another one has just inserted. */
const REPEATS = 3;

/** Repeats the transaction after a deadlock, a lost connection, or a concurrent insert. */
export async function inTransaction<Result>(
  database: Database,
  work: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await database.transaction().execute(work);
    } catch (error) {
      if (!isPassing(error) || repeats >= REPEATS) throw error;
    }
  }
}

/** PostgreSQL's codes (appendix A of its manual) and the system's. */
function isPassing(error: unknown): boolean {
  return /^(?:40P01|40001|23505|08\w{3}|57P01|ECONN\w+|EPIPE)$/.test(codeOf(error));
}
