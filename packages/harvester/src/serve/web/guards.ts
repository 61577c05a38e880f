import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
import { isFromOurPages } from "./access/same-origin.ts";
import type { Rights, WebEnv, WebSettings } from "./environment.ts";
import { isExpectedHost } from "./view.ts";

/** Refuses requests to a local service under a name that is not its own. */
export function ownNamesOnly(settings: WebSettings) {
  return createMiddleware<WebEnv>(async (context, next) => {
    const { host } = new URL(context.req.url);
    if (!isExpectedHost(settings, host)) {
      const message = `This service is not known as ${host}. Open it by localhost, or start it with that name.`;
      throw new HTTPException(403, { message });
    }
    await next();
  });
}

/** Refuses forms that a page of another site has sent (cross-site request forgery). */
export function ownPagesOnly({ publicUrl }: WebSettings) {
  const publicHosts = publicUrl === undefined ? [] : [new URL(publicUrl).host];
  return createMiddleware<WebEnv>(async (context, next) => {
    const { req } = context;
    const isSafe = req.method === "GET" || req.method === "HEAD";
    // No other site can make a browser send the token.
    const showsToken =
      context.get("view").rights.isSignedIn && req.header("authorization") !== undefined;
    const origin = { site: req.header("sec-fetch-site"), origin: req.header("origin") };
    const hosts = [new URL(req.url).host, ...publicHosts];
    if (!isSafe && !showsToken && !isFromOurPages(origin, hosts)) {
      const message =
        "This form was not sent from a page of this service. Open the page here and try again.";
      throw new HTTPException(403, { message });
    }
    await next();
  });
}

/** Refuses who may not do something. */
export function requireRight(context: Context<WebEnv>, right: "mayFollow" | "mayManage"): void {
  const { rights }: { readonly rights: Rights } = context.get("view");
  if (rights[right]) return;
  throw new HTTPException(403, { message: "Only who manages this service may do that." });
}
