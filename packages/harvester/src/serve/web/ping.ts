import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { WebDependencies, WebEnv } from "./environment.ts";

/** Bytes of a ping. */
const PING = 4_096;

/**
 * Pings of sources: `POST /ping` with a site's address as `url`. The answer is always 202, so that it
 * does not tell who is followed.
 */
export function pingRoutes({ writer, report }: Pick<WebDependencies, "writer" | "report">) {
  return new Hono<WebEnv>().post(
    "/ping",
    bodyLimit({ maxSize: PING, onError: (context) => context.body(null, 202) }),
    async (context) => {
      const { url } = await context.req.parseBody().catch(() => ({ url: undefined }));
      if (typeof url === "string") await writer.takePing(url).catch(report);
      return context.body(null, 202);
    },
  );
}
