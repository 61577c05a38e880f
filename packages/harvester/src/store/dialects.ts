import { codeOf } from "@rs-emit/reader";
import {
  type CompiledQuery,
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

export type Connection = Pick<Kysely<unknown>, "getExecutor">;

/** A parameter of a statement: what of its values it is. */
type Parameter<Values> = <Value>(
  of: (values: Values, database: Connection) => Value,
) => RawBuilder<Value>;

/**
 * A statement whose text is always the same: it is compiled once for each kind of database. That takes longer than many of them
 * run.
 *
 * @param shapeOf what else of its values its text depends on
 */
export function compiledOnce<Values, Found = unknown>(
  build: (
    given: Parameter<Values>,
    database: Connection,
    values: Values,
  ) => { readonly compile: (database: Connection) => CompiledQuery<Found> },
  shapeOf: (values: Values) => string = () => "",
): (database: Database, values: Values) => Promise<QueryResult<Found>> {
  const places = new Map<unknown, (values: Values, database: Connection) => unknown>();
  const statements = new Map<string, CompiledQuery<Found>>();
  const given: Parameter<Values> = (of) => {
    const place = Symbol();
    places.set(place, of);
    return sql`${place}`;
  };
  return (database, values) => {
    const shape = `${isSqlite(database)} ${shapeOf(values)}`;
    const statement = statements.get(shape) ?? build(given, database, values).compile(database);
    statements.set(shape, statement);
    const parameters = statement.parameters.map((one) => {
      const of = places.get(one);
      return of === undefined ? one : of(values, database);
    });
    return database.executeQuery({ ...statement, parameters });
  };
}

export function isSqlite(database: Connection): boolean {
  return database.getExecutor().adapter instanceof SqliteAdapter;
}

/** Many values, which travel as one; or where a statement is given them. */
type Many<Value> = readonly Value[] | RawBuilder<readonly Value[]>;

/** Whether a column has one of many texts. PostgreSQL asks an index for each element of an array, whatever its statistics say. */
export function isAmong(
  database: Connection,
  column: string | RawBuilder<string>,
  values: Many<string>,
): RawBuilder<SqlBool> {
  const one = typeof column === "string" ? sql.ref(column) : column;
  return isSqlite(database)
    ? sql`${one} IN (${texts(database, values)})`
    : sql`${one} = ANY(${values}::text[])`;
}

/** Whether a column has one of many ids. */
export function isAmongIds(
  database: Connection,
  column: string,
  values: Many<number>,
): RawBuilder<SqlBool> {
  return isSqlite(database)
    ? sql`${sql.ref(column)} IN (SELECT value FROM json_each(${values}))`
    : sql`${sql.ref(column)} = ANY(${values}::bigint[])`;
}

/** Whether a column has one of the ids that a query finds for each row. PostgreSQL asks an index for each. */
export function isFound(
  database: Connection,
  column: string,
  query: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  return isSqlite(database)
    ? sql`${sql.ref(column)} IN (${query})`
    : sql`${sql.ref(column)} = ANY(ARRAY(${query}))`;
}

/** Texts as the rows of a query. */
export function texts(database: Connection, values: Many<string>): RawBuilder<string> {
  return isSqlite(database)
    ? sql`SELECT value FROM json_each(${values})`
    : sql`SELECT unnest(${values}::text[])`;
}

/** A row of a table, or some of its columns. */
type Row = Readonly<Record<string, string | number | null>>;

/** Rows that are added to a table. They have the same columns, in their order. */
export interface Addition<Rows = readonly Row[]> {
  readonly table: string;
  readonly rows: Rows;
  /** Of a row whose key is there: what is there is kept, or gets the columns that are not of this key. Else that is an error. */
  readonly conflict?: "keep" | readonly string[];
}

/**
 * Inserts rows in their order. Another conflict, or what is returned, may follow.
 *
 * @param json the rows by `toJson`, or where a statement is given them
 * @param more columns that are computed from those of each row, which is `given`
 */
export function insertion(
  database: Connection,
  { table, rows, conflict }: Addition,
  json: string | RawBuilder<string> = toJson(rows, database),
  more: Readonly<Record<string, RawBuilder<unknown>>> = {},
): RawBuilder<unknown> {
  const names = columnsOf(rows);
  const columns = sql.join([list(names), ...Object.values(more)]);
  const into = sql`INSERT INTO ${sql.table(table)} (${list([...names, ...Object.keys(more)])})`;
  const read = names.map((name, at) => sql`value ->> ${sql.lit(at)} AS ${sql.id(name)}`);
  // Without a condition, SQLite would take a conflict for a part of a join.
  const given = isSqlite(database)
    ? sql`(SELECT ${sql.join(read)} FROM json_each(${json})) AS given WHERE true`
    : sql`json_populate_recordset(NULL::${sql.table(table)}, ${json}::json) AS given`;
  return sql`${into} SELECT ${columns} FROM ${given} ${onConflict(names, conflict)}`;
}

/** Rows as JSON: SQLite reads arrays faster than objects. */
export function toJson(rows: readonly Row[], database: Connection): string {
  return JSON.stringify(isSqlite(database) ? rows.map((row) => Object.values(row)) : rows);
}

function onConflict(names: readonly string[], conflict: Addition["conflict"]): RawBuilder<unknown> {
  if (conflict === undefined) return sql``;
  if (conflict === "keep") return sql`ON CONFLICT DO NOTHING`;
  const others = names.filter((name) => !conflict.includes(name));
  const set = others.map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`);
  return sql`ON CONFLICT (${list(conflict)}) DO UPDATE SET ${sql.join(set)}`;
}

/**
 * Inserts very many rows, those of a table in their order. No row may need one of another table: PostgreSQL gets as many as it
 * can take with one statement.
 */
export async function insertMany(
  database: Database,
  ...additions: readonly ManyRows[]
): Promise<void> {
  const parts = partsOf(additions);
  if (isSqlite(database)) {
    for (const part of parts) await INSERT_EACH(database, part);
  } else {
    for (const some of inParts(parts, { sizeOf: ({ rows }) => rows.length })) {
      await INSERT_TOGETHER(database, some);
    }
  }
}

/** Very many rows are made when they are added: all tables' together would take much memory. */
export type ManyRows = Addition<Iterable<Row>>;

function* partsOf(additions: readonly ManyRows[]): Generator<Addition> {
  for (const [table, some] of Map.groupBy(additions, (one) => one.table)) {
    const conflict = some[0]?.conflict;
    for (const rows of inParts(rowsOf(some))) yield { table, rows, ...(conflict && { conflict }) };
  }
}

function* rowsOf(additions: readonly ManyRows[]): Generator<Row> {
  for (const { rows } of additions) yield* rows;
}

/** A parameter with a value for each row: SQLite runs the statement as often. That takes half as long as reading JSON. */
export class EachRow {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }
}

const INSERT_EACH = compiledOnce<Addition>((given, _, { table, rows, conflict }) => {
  const names = columnsOf(rows);
  const values = names.map((name) =>
    given(({ rows }) => new EachRow(rows.map((row) => row[name]))),
  );
  return sql`INSERT INTO ${sql.table(table)} (${list(names)}) VALUES (${sql.join(values)}) ${onConflict(names, conflict)}`;
}, shapeOf);

const INSERT_TOGETHER = compiledOnce<readonly Addition[]>(
  (given, database, additions) => {
    const all = additions.map((one, at) => {
      const json = given((all, database) => toJson(all[at]?.rows ?? [], database));
      return sql`${sql.id(`added_${one.table}`)} AS (${insertion(database, one, json)})`;
    });
    return sql`WITH ${sql.join(all)} SELECT 1`;
  },
  (additions) => additions.map(shapeOf).join(),
);

function shapeOf({ table, rows }: Addition): string {
  return `${table} ${columnsOf(rows)}`;
}

function columnsOf([row = {}]: readonly Row[]): readonly string[] {
  return Object.keys(row);
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

/** All rows of a query as one JSON array of objects. */
export function objects(database: Connection, columns: readonly string[]): RawBuilder<string> {
  const all = sql.join(columns.flatMap((column) => [sql.lit(column), sql.ref(column)]));
  return isSqlite(database)
    ? sql`json_group_array(json_object(${all}))`
    : sql`json_agg(json_build_object(${all}))::text`;
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
