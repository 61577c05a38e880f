import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { expect, test } from "vitest";
import { CopyDatabase, type StoredRow } from "../src/sync/copy/copy-database.ts";
import { COPY_TABLES, CopyState } from "../src/sync/copy/copy-state.ts";
import { WorkingSet } from "../src/sync/copy/working-set.ts";

/** Keeps what it is asked, and tells SQLite's plan for it. */
class AskedDatabase extends CopyDatabase {
  readonly #twin = new DatabaseSync(":memory:");
  readonly plans: string[] = [];

  constructor() {
    super(":memory:", COPY_TABLES, { readOnly: false });
    this.#twin.exec(COPY_TABLES);
  }

  override exec(statements: string): void {
    super.exec(statements);
    if (statements.includes("CREATE TEMP TABLE")) this.#twin.exec(statements);
  }

  override get(query: string, ...values: SQLInputValue[]): StoredRow | undefined {
    this.#explain(query);
    return super.get(query, ...values);
  }

  override *byKey(query: string, ...values: SQLInputValue[]): Generator<StoredRow> {
    this.#explain(query);
    yield* super.byKey(query, ...values);
  }

  #explain(query: string): void {
    const steps = this.#twin.prepare(`EXPLAIN QUERY PLAN ${query.replaceAll("?", "'a'")}`).all();
    this.plans.push(...steps.map(({ detail }) => String(detail)));
  }
}

test.each([
  ["what is needed of it", (_: CopyState, working: WorkingSet) => working.neededAt("a")],
  ["its file", (state: CopyState) => state.file("a")],
  ["who has its name", (state: CopyState) => state.taken("a")],
  ["the next files of a collection", (state: CopyState) => [...state.filesOf("a")]],
  ["the next that should be there", (_: CopyState, working: WorkingSet) => [...working.wanted()]],
  ["what is known of these", (_: CopyState, working: WorkingSet) => [...working.wantedAndKnown()]],
  ["the next files that are gone", (_: CopyState, working: WorkingSet) => [...working.gone()]],
])("of one resource among many, %s is found by its key", (_, ask) => {
  using database = new AskedDatabase();
  const working = new WorkingSet(database);
  ask(new CopyState(database), working);
  expect(database.plans).not.toEqual([]);
  // A table that is read whole for each resource takes the square of their number.
  expect(database.plans.filter((step) => /^(?:SCAN|LIST SUBQUERY)|IN-OPERATOR/.test(step))).toEqual(
    [],
  );
});
