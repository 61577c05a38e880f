import { decodeMarkup } from "@rs-emit/reader";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
import { secureHeaders } from "hono/secure-headers";
import { readBody } from "../request-bodies.ts";
import { isLoopback } from "./access.ts";
import type { Rights, WebEnv, WebSettings } from "./request-context.ts";

/**
 * Refuses requests to a local service under a name that is not its own. A web site whose name leads to this
 * machine could make a browser do whatever its user may do (DNS rebinding).
 */
export function ownNamesOnly({ access }: WebSettings) {
  return createMiddleware<WebEnv>(async (context, next) => {
    const { host, hostname } = new URL(context.req.url);
    if (access.kind === "local" && !isLoopback(hostname)) {
      const message = `This service is not known as ${host}. Open it by localhost, or start it with --public-url.`;
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
    // Other sites cannot make a browser send the token.
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

/** Throws {@link HTTPException}. */
export function requireRight(context: Context<WebEnv>, right: "mayFollow" | "mayManage"): void {
  const { rights }: { readonly rights: Rights } = context.get("view");
  if (rights[right]) return;
  throw new HTTPException(403, { message: "Only the operator of this service may do that." });
}

interface Origin {
  readonly site: string | undefined;
  readonly origin: string | undefined;
}

/**
 * Whether a request comes from one of our pages. Every browser sends one of the two headers; other clients must
 * send the token.
 * @param hosts of our pages, with ports
 */
export function isFromOurPages({ site, origin }: Origin, hosts: readonly string[]): boolean {
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (origin === undefined) return site !== undefined;
  // The scheme may differ behind a proxy that ends TLS.
  const host = URL.parse(origin)?.host;
  return host !== undefined && host !== "" && hosts.includes(host);
}

/** No scripts, frames or foreign content. Our own pages need the referrer: without it, browsers hide the `Origin` of forms. */
export function securityHeaders() {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    referrerPolicy: "same-origin",
    xFrameOptions: "DENY",
    // The owner of the domain decides that.
    strictTransportSecurity: false,
  });
}

/** Bytes of a form. */
const FORM_BYTES = 16_384;

/**
 * Reads a form. Who may not send it is refused before.
 *
 * @param longest bytes
 * @returns a field, or the text of a file in it, by name; empty if missing
 * @throws {HTTPException}
 */
export async function readForm(
  context: Context<WebEnv>,
  longest = FORM_BYTES,
): Promise<(name: string) => string> {
  const headers = { "Content-Type": context.req.header("content-type") ?? "" };
  const body = await readBody(context.req.raw, longest, context.get("hold"));
  const form = await new Response(body, { headers }).formData().catch(refuse);
  const texts = new Map<string, string>();
  for (const [name, value] of form) {
    texts.set(name, typeof value === "string" ? value : decodeMarkup(await value.bytes()));
  }
  return (name) => texts.get(name) ?? "";
}

function refuse(cause: unknown): never {
  throw new HTTPException(400, { message: "That is no form of this service.", cause });
}

/** A number from 1 on. */
export function queryNumber(context: Context<WebEnv>, name: string): number | undefined {
  const text = context.req.query(name) ?? "";
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** Throws {@link HTTPException}. */
export function pathNumber(context: Context<WebEnv>): number {
  const text = context.req.param("id") ?? "";
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new HTTPException(404, { message: NO_SOURCE });
  return Number(text);
}

export const NO_SOURCE = "No source of that number is followed here, or not any more.";
