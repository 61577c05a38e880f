import { setTimeout as pause } from "node:timers/promises";
import { Hono } from "hono";
import { type Kysely, sql } from "kysely";
import type { Schema } from "../../store/schema.ts";
import type { WebDependencies, WebEnv } from "./environment.ts";

/** `/healthz`: 200 while the database answers, else 503. */
export function healthzRoutes({ database }: Pick<WebDependencies, "database">): Hono<WebEnv> {
  return new Hono<WebEnv>().get("/healthz", async (context) => {
    context.header("Cache-Control", "no-store");
    return (await answers(database))
      ? context.text("ok\n")
      : context.text("the database does not answer\n", 503);
  });
}

/** Milliseconds that the database may take to answer. */
const LATEST = 2_000;

async function answers(database: Kysely<Schema>): Promise<boolean> {
  const timeout = new AbortController();
  const answer = sql`SELECT 1`.execute(database).then(
    () => true,
    () => false,
  );
  const late = pause(LATEST, false, { signal: timeout.signal }).catch(() => false);
  const isAnswered = await Promise.race([answer, late]);
  timeout.abort();
  return isAnswered;
}
