import type { Database } from "../../../store/schema.ts";

/** A sign-in, until it ends or is ended. Times are UTC seconds. */
interface Session {
  /** A secret of the browser. */
  readonly id: string;
  readonly until: number;
}

/** Also forgets sessions that are over. */
export async function beginSession(
  database: Database,
  session: Session,
  now: number,
): Promise<void> {
  await database.deleteFrom("session").where("until", "<=", now).execute();
  await database.insertInto("session").values(session).execute();
}

export async function endSession(database: Database, id: string): Promise<void> {
  await database.deleteFrom("session").where("id", "=", id).execute();
}

export async function isSession(database: Database, id: string, now: number): Promise<boolean> {
  const row = await database
    .selectFrom("session")
    .select("until")
    .where("id", "=", id)
    .executeTakeFirst();
  return row !== undefined && row.until > now;
}
