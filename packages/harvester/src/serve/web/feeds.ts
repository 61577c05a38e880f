import { createHash } from "node:crypto";
import { ATOM_TYPE, atomFeed } from "@rs-emit/feeds";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { ownVersion } from "../../http/user-agent.ts";
import { OPML_TYPE, opml } from "../../site-list.ts";
import { feedDocument, feedState } from "../../store/queries/feed-documents.ts";
import { followedFeeds } from "../../store/queries/followed-sites.ts";
import type { WebDependencies, WebEnv } from "./environment.ts";
import { parseFeedPath } from "./links.ts";

/** Seconds of `max-age`. */
const FRESH = { feed: 300, archive: 86_400 };

export function feedRoutes({ database, settings }: WebDependencies): Hono<WebEnv> {
  const { hub } = settings;
  return new Hono<WebEnv>()
    .get("/feeds/followed.opml", async (context) => {
      const text = opml(await followedFeeds(database, context.get("view").places));
      context.header("Cache-Control", `max-age=${FRESH.feed}`);
      if (isKnown(context, digestOf(text))) return context.body(null, 304);
      return context.body(text, 200, { "Content-Type": `${OPML_TYPE}; charset=utf-8` });
    })
    .get("/feeds/*", async (context) => {
      const { places, origin, links } = context.get("view");
      const name = parseFeedPath(context.req.path.slice(1));
      if (name === undefined) throw noFeed();
      // The bytes depend on these, besides what the feed's version covers.
      const frame = [ownVersion(), origin + links.home, hub, name.feed, name.archive];
      const { version } = await feedState(database, name.feed);
      const maxAge = name.archive === undefined ? FRESH.feed : FRESH.archive;
      context.header("Cache-Control", `max-age=${maxAge}`);
      context.header("Vary", "Accept-Encoding");
      const tag = `${version}-${digestOf(JSON.stringify(frame))}`;
      if (version > 0 && isKnown(context, tag)) return context.body(null, 304);
      const feed = await feedDocument(database, name, places);
      if (feed === undefined) throw noFeed();
      const text = atomFeed({ ...feed, hub });
      // Before the first check of its source, a feed has no version.
      if (version === 0 && isKnown(context, digestOf(text))) return context.body(null, 304);
      return context.body(text, 200, { "Content-Type": `${ATOM_TYPE}; charset=utf-8` });
    });
}

/** Sets the `ETag`; returns whether the request already has it (RFC 9110, section 13.1.2). */
function isKnown(context: Context<WebEnv>, version: string): boolean {
  // Weak: a proxy or our compression may send the same content in other bytes.
  const tag = `W/"${version}"`;
  context.header("ETag", tag);
  const known = (context.req.header("if-none-match") ?? "").split(",").map((one) => one.trim());
  return known.some((one) => one === "*" || one.replace(/^W\//, "") === tag.slice(2));
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

function noFeed(): HTTPException {
  return new HTTPException(404, {
    message: "There is no such feed. The site may be followed no more.",
  });
}
