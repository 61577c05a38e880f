import { createHash, timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import type { WebEnv } from "./environment.ts";

const COOKIE = "rs-harvest";

/** Seconds that a sign-in lasts. */
const SESSION = 30 * 86_400;

/** Whether somebody shows the token: in `Authorization`, or by a cookie that it has signed. */
export async function hasToken(
  context: Context<WebEnv>,
  token: string | undefined,
  now: number,
): Promise<boolean> {
  if (token === undefined) return false;
  const [, bearer] = /^bearer +(.+)$/i.exec(context.req.header("authorization") ?? "") ?? [];
  if (bearer !== undefined) return isToken(bearer, token);
  const until = await getSignedCookie(context, token, COOKIE);
  return typeof until === "string" && Number(until) > now;
}

/** Compares in a time that does not tell how much of it is right. */
export function isToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

/** Remembers in the browser that its user has shown the token; the token itself does not go there. */
export async function signIn(context: Context<WebEnv>, token: string, now: number): Promise<void> {
  await setSignedCookie(context, COOKIE, String(Math.floor(now + SESSION)), token, {
    ...cookieOptions(context),
    httpOnly: true,
    sameSite: "Strict",
    maxAge: SESSION,
  });
}

/** Makes the browser forget it. */
export function signOut(context: Context<WebEnv>): void {
  deleteCookie(context, COOKIE, cookieOptions(context));
}

function cookieOptions(context: Context<WebEnv>): {
  readonly path: string;
  readonly secure: boolean;
} {
  const { origin, links } = context.get("view");
  return { path: links.home, secure: origin.startsWith("https:") };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
