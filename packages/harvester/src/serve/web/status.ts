import { setTimeout as pause } from "node:timers/promises";
import { Hono } from "hono";
import { type Kysely, sql } from "kysely";
import type { Schema } from "../../store/schema.ts";
import type { WebDependencies, WebEnv } from "./environment.ts";
import type { Metrics } from "./metrics.ts";
import { hasToken } from "./session.ts";

const UNSTORED = { "Cache-Control": "no-store" };

/** Milliseconds that the database may take to answer. */
const PATIENCE = 2_000;

/** What monitors are answered with. */
export interface StatusOptions extends Pick<WebDependencies, "database"> {
  /** What `/metrics` wants to be shown. */
  readonly token: string | undefined;
}

/** Whether the service works, and how well: `/healthz` and `/metrics`, for monitors. */
export function statusRoutes({ database, token }: StatusOptions, metrics: Metrics): Hono<WebEnv> {
  return new Hono<WebEnv>()
    .get("/healthz", async (context) =>
      (await answers(database))
        ? context.text("ok\n", 200, UNSTORED)
        : context.text("the database does not answer\n", 503, UNSTORED),
    )
    .get("/metrics", async (context) => {
      if (token !== undefined && !(await hasToken(context, token, Date.now() / 1000))) {
        const challenge = { ...UNSTORED, "WWW-Authenticate": "Bearer" };
        return context.text("/metrics wants the token: Authorization: Bearer …\n", 401, challenge);
      }
      return context.body(await metrics.text(), 200, {
        ...UNSTORED,
        "Content-Type": metrics.contentType,
      });
    });
}

async function answers(database: Kysely<Schema>): Promise<boolean> {
  const timeout = new AbortController();
  const answer = sql`SELECT 1`.execute(database).then(
    () => true,
    () => false,
  );
  const late = pause(PATIENCE, false, { signal: timeout.signal }).catch(() => false);
  const isAnswered = await Promise.race([answer, late]);
  timeout.abort();
  return isAnswered;
}
