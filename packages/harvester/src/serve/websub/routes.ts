import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Kysely } from "kysely";
import type { Schema } from "../../store/schema.ts";
import type { Writer } from "../writer.ts";
import { isWanted } from "./delivery.ts";
import { MOST_BYTES } from "./notification.ts";

/** Nothing else is a token (`channel.ts`), nor asked of the database. */
const CALLBACK = "/:token{[\\w-]+}";

/**
 * What hubs ask and deliver to: a subscription's callback is `/TOKEN` below wherever this is mounted
 * (WebSub, sections 5.2, 5.3 and 7).
 */
export function websubRoutes(
  database: Kysely<Schema>,
  writer: Pick<Writer, "answerHub" | "takeDelivery">,
): Hono {
  const app = new Hono();

  app.get(CALLBACK, async (context) => {
    const { req } = context;
    const question = {
      mode: req.query("hub.mode"),
      topic: req.query("hub.topic"),
      challenge: req.query("hub.challenge"),
      leaseSeconds: req.query("hub.lease_seconds"),
    };
    const answer = await writer.answerHub(req.param("token"), question);
    // What a stranger sent goes back: never as anything that a browser would run.
    context.header("X-Content-Type-Options", "nosniff");
    return answer === undefined ? context.text("not wanted", 404) : context.text(answer);
  });

  app.post(
    CALLBACK,
    async (context, next) => {
      if (await isWanted(database, context.req.param("token"))) return next();
      return context.text("this subscription has ended", 410);
    },
    bodyLimit({ maxSize: MOST_BYTES, onError: (context) => context.text("too large", 413) }),
    async (context) => {
      const { req } = context;
      const body = new Uint8Array(await req.arrayBuffer());
      const signature = req.header("x-hub-signature");
      const delivered = await writer.takeDelivery(req.param("token"), body, signature);
      if (delivered.kind === "unwanted") return context.text("this subscription has ended", 410);
      // Success even where the signature is wrong: nobody learns by trying (section 7.1.2).
      return context.body(null, 202);
    },
  );
  return app;
}
