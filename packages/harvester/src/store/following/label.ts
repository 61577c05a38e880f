import { fittingLabels } from "../../site-list.ts";
import { insertMany, isAmongIds } from "../dialects.ts";
import type { Database } from "../schema.ts";

interface Labelled {
  readonly source_id: number;
  readonly label: string;
}

/** Gives sources more labels, as far as these fit. */
export async function addLabels(database: Database, labelled: readonly Labelled[]): Promise<void> {
  const given = Map.groupBy(labelled, ({ source_id }) => source_id);
  const known = await labelsOf(database, [...given.keys()]);
  const added = [...given].flatMap(([source_id, more]) => {
    const before = known.get(source_id) ?? [];
    const all = fittingLabels([...before, ...more.map(({ label }) => label)]);
    return all.slice(before.length).map((label) => ({ source_id, label }));
  });
  if (added.length === 0) return;
  await insertMany(database, { table: "source_label", rows: added, conflict: "keep" });
}

/** Replaces the labels of a source. */
export async function setLabels(
  database: Database,
  source_id: number,
  labels: readonly string[],
): Promise<void> {
  await database.deleteFrom("source_label").where("source_id", "=", source_id).execute();
  await addLabels(
    database,
    labels.map((label) => ({ source_id, label })),
  );
}

/** In alphabetical order, by source id. */
export async function labelsOf(
  database: Database,
  sources: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (sources.length === 0) return new Map();
  const rows = await database
    .selectFrom("source_label")
    .selectAll()
    .where(isAmongIds(database, "source_id", sources))
    .orderBy("source_id")
    .orderBy("label")
    .execute();
  const bySource = Map.groupBy(rows, ({ source_id }) => source_id);
  return new Map([...bySource].map(([id, labelled]) => [id, labelled.map(({ label }) => label)]));
}

/** Labels that pages offer as filters. */
const OFFERED = 200;

export async function allLabels(database: Database): Promise<readonly string[]> {
  const rows = await database
    .selectFrom("source_label")
    .select("label")
    .distinct()
    .orderBy("label")
    .limit(OFFERED)
    .execute();
  return rows.map(({ label }) => label);
}

/** The ids of the sources with a label, as a query. */
export function sourcesWith(database: Database, label: string) {
  return database.selectFrom("source_label").select("source_id").where("label", "=", label);
}
