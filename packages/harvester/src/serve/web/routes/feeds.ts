import { ATOM_TYPE, atomFeed } from "@rs-emit/feeds";
import { Hono } from "hono";
import { etag } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import { OPML_TYPE, opml } from "../../../cli/lists/opml.ts";
import { feedDocument } from "../../../store/queries/feed-document.ts";
import { followedFeeds } from "../../../store/queries/followed-feeds.ts";
import type { WebDependencies, WebEnv } from "../environment.ts";
import { parseFeedPath } from "../feed-path.ts";
import { notModifiedSince } from "../not-modified-since.ts";

/** Seconds for which a reader need not ask again. */
const FRESH = { feed: 300, archive: 86_400 };

/**
 * Seconds after which whatever was taken up to a time is there to be read: until then, that time is not told
 * as `Last-Modified`, since a change of the same time may still follow.
 */
const SETTLED = 60;

/** The feeds, their archives, and the list of them. */
export function feedRoutes({ database, settings }: WebDependencies): Hono<WebEnv> {
  const { hub } = settings;
  return new Hono<WebEnv>()
    .use("/feeds/*", notModifiedSince(), etag())
    .get("/feeds/followed.opml", async (context) => {
      const feeds = await followedFeeds(database, context.get("view").places);
      context.header("Content-Type", `${OPML_TYPE}; charset=utf-8`);
      context.header("Cache-Control", `max-age=${FRESH.feed}`);
      return context.body(opml(feeds));
    })
    .get("/feeds/*", async (context) => {
      const view = context.get("view");
      const name = parseFeedPath(context.req.path.slice(1));
      const document = name && (await feedDocument(database, name, view.places));
      if (name === undefined || document === undefined) throw noFeed();
      const { feed, takenAt } = document;
      const isArchive = name.archive !== undefined;
      context.header("Cache-Control", `max-age=${isArchive ? FRESH.archive : FRESH.feed}`);
      // Also where this very answer is not compressed.
      context.header("Vary", "Accept-Encoding");
      if (takenAt !== undefined && takenAt < view.now - SETTLED) {
        context.header("Last-Modified", new Date(takenAt * 1000).toUTCString());
      }
      context.header("Content-Type", `${ATOM_TYPE}; charset=utf-8`);
      return context.body(atomFeed({ ...feed, ...(hub === undefined ? {} : { hub }) }));
    });
}

function noFeed(): HTTPException {
  return new HTTPException(404, {
    message: "There is no such feed. The site may be followed no more.",
  });
}
