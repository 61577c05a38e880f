import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ATOM_TYPE } from "@rs-emit/feeds";
import { ownVersion } from "@rs-emit/reader";
import { type Context, Hono } from "hono";
import { accepts } from "hono/accepts";
import { HTTPException } from "hono/http-exception";
import { LRUCache } from "lru-cache";
import { OPML_TYPE, opml } from "../../opml.ts";
import { idIn } from "../../store/feed-names.ts";
import { mergedInto } from "../../store/following/merged-source.ts";
import { followedFeeds } from "../../store/pages/exported-sites.ts";
import {
  type DocumentName,
  documentVersion,
  feedDocument,
  feedText,
} from "../../store/pages/feed-documents.ts";
import type { Database } from "../../store/schema.ts";
import { parseFeedPath } from "../feed-paths.ts";
import type { WebDependencies, WebEnv } from "./request-context.ts";

/** Seconds of `max-age`. */
const FRESH = { feed: 300, archive: 86_400 };

export function feedRoutes({ database, settings }: WebDependencies): Hono<WebEnv> {
  const kept = new RenderedFeeds();
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
      // Nobody is told of a label's feed: its sources may be others tomorrow.
      const hub = name.feed.startsWith("label/") ? undefined : settings.hub;
      // The bytes depend on these, besides what the feed's version covers.
      const frame = [ownVersion(), origin + links.home, hub, name.feed, name.archive];
      const version = await documentVersion(database, name);
      const tag = `${version}-${digestOf(JSON.stringify(frame))}`;
      if (version !== undefined && isKnown(context, tag)) return respond(context, name, hub);
      const render = async () => {
        const feed = await feedDocument(database, name, places);
        return feed && (await feedText({ ...feed, hub }));
      };
      // Before the first check of its source, a feed has no version.
      const feed = await (version !== undefined ? kept.get(tag, render) : rendered(render));
      if (feed === undefined) return movedFeed(context, database, name);
      if (version === undefined && isKnown(context, digestOf(feed.plain))) {
        return respond(context, name, hub);
      }
      return respond(context, name, hub, feed);
    });
}

/** The feed of a source that was merged is that of the other one. Throws {@link HTTPException} if there is none. */
async function movedFeed(
  context: Context<WebEnv>,
  database: Database,
  { feed }: DocumentName,
): Promise<Response> {
  const into = feed.startsWith("source/") ? await mergedInto(database, idIn(feed)) : undefined;
  if (into === undefined) throw noFeed();
  return context.redirect(context.get("view").links.feed(`source/${into}`), 301);
}

/** Without `feed`, the client has it. */
function respond(
  context: Context<WebEnv>,
  name: DocumentName,
  hub: string | undefined,
  feed?: RenderedFeed,
): Response {
  const isArchive = name.archive !== undefined;
  context.header("Cache-Control", `max-age=${isArchive ? FRESH.archive : FRESH.feed}`);
  context.header("Vary", "Accept-Encoding");
  // WebSub, section 4: hubs and subscribers look here first. A hub pushes the feed, not its archives.
  if (hub !== undefined && !isArchive) {
    const self = context.get("view").places.document(name.feed);
    context.header("Link", `<${hub}>; rel="hub", <${self}>; rel="self"`);
  }
  if (feed === undefined) return context.body(null, 304);
  const headers = { "Content-Type": `${ATOM_TYPE}; charset=utf-8` };
  if (!takesGzip(context)) return context.body(feed.plain, 200, headers);
  return context.body(feed.gzip, 200, { ...headers, "Content-Encoding": "gzip" });
}

/** RFC 9110, section 12.5.3. */
function takesGzip(context: Context<WebEnv>): boolean {
  const chosen = accepts(context, {
    header: "Accept-Encoding",
    supports: ["gzip", "identity"],
    default: "identity",
    match: (codings) => {
      const coding = ["gzip", "*"].flatMap(
        (name) => codings.find(({ type }) => type === name) ?? [],
      );
      return (coding[0]?.q ?? 0) > 0 ? "gzip" : "identity";
    },
  });
  return chosen === "gzip";
}

/** Sets the `ETag`; returns whether the request already has it (RFC 9110, section 13.1.2). */
function isKnown(context: Context<WebEnv>, version: string): boolean {
  // Weak: a proxy or our compression may send the same content in other bytes.
  const tag = `W/"${version}"`;
  context.header("ETag", tag);
  const known = (context.req.header("if-none-match") ?? "").split(",").map((one) => one.trim());
  return known.some((one) => one === "*" || one.replace(/^W\//, "") === tag.slice(2));
}

function digestOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 16);
}

function noFeed(): HTTPException {
  return new HTTPException(404, {
    message: "There is no such feed. The site may be followed no more.",
  });
}

interface RenderedFeed {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
}

type Render = () => Promise<string | undefined>;

/** Bytes of feeds that are kept, with and without compression. */
const RENDERED_BYTES = 32 * 1024 * 1024;

const compressed = promisify(gzip);

/** Keeps the feeds asked for lately. Each is rendered once, however many clients ask at the same time. */
export class RenderedFeeds {
  readonly #kept = new LRUCache<string, RenderedFeed, Render>({
    maxSize: RENDERED_BYTES,
    sizeCalculation: ({ plain, gzip }) => plain.length + gzip.length,
    fetchMethod: (_name, _stale, { context: render }) => rendered(render),
  });

  /** @param version names the bytes. `undefined` if `render` gives none. */
  get(version: string, render: Render): Promise<RenderedFeed | undefined> {
    return this.#kept.fetch(version, { context: render });
  }
}

async function rendered(render: Render): Promise<RenderedFeed | undefined> {
  const text = await render();
  if (text === undefined) return undefined;
  const plain = Buffer.from(text);
  return { plain, gzip: await compressed(plain) };
}
