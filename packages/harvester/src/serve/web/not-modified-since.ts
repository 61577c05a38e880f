import { createMiddleware } from "hono/factory";
import type { WebEnv } from "./environment.ts";

/** What an answer without its body still says (RFC 9110, section 15.4.5). */
const KEPT = ["Cache-Control", "ETag", "Last-Modified", "Vary"];

/**
 * Leaves the body out where who asks has what was last modified then (RFC 9110, section 13.1.3). Entity tags,
 * which are exact, count more.
 */
export function notModifiedSince() {
  return createMiddleware<WebEnv>(async (context, next) => {
    await next();
    const { req, res } = context;
    const since = req.header("if-modified-since");
    const modified = res.headers.get("last-modified");
    if (since === undefined || modified === null || res.status !== 200) return;
    if (req.header("if-none-match") !== undefined) return;
    if (!(Date.parse(modified) <= Date.parse(since))) return;
    await res.body?.cancel();
    const headers = KEPT.flatMap((name): [string, string][] => {
      const value = res.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    context.res = undefined;
    context.res = new Response(null, { status: 304, headers });
  });
}
