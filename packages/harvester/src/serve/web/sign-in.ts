import { createHash, timingSafeEqual } from "node:crypto";
import { type Context, Hono } from "hono";
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import { html } from "hono/html";
import { Allowance, clientOf } from "./clients.ts";
import type { View, WebDependencies, WebEnv } from "./environment.ts";
import { formProblem, type Html, page } from "./look/layout.ts";
import { field } from "./request.ts";

/** Wrong tokens of one client. */
const ATTEMPTS = { atOnce: 10, perHour: 30 };

/** Empty for a service without a token. */
export function signInRoutes({ settings, now }: WebDependencies): Hono<WebEnv> {
  const routes = new Hono<WebEnv>();
  const { access, trustProxy } = settings;
  const token = access.kind === "local" ? undefined : access.token;
  if (token === undefined) return routes;
  const allowance = new Allowance(ATTEMPTS, now);
  return routes
    .get("/sign-in", (context) => context.html(signInPage(context.get("view"))))
    .post("/sign-in", async (context) => {
      const view = context.get("view");
      const given = await field(context, "token");
      if (!isToken(given, token)) {
        // Only wrong tokens are counted, so that they never lock out the right one.
        const wait = allowance.take(clientOf(context, trustProxy));
        if (wait === 0) return context.html(signInPage(view, "That is not the token."), 401);
        context.header("Retry-After", String(wait));
        return context.html(signInPage(view, "That were many attempts. Wait a while."), 429);
      }
      await signIn(context, token, now());
      return context.redirect(view.links.home, 303);
    })
    .post("/sign-out", (context) => {
      signOut(context);
      return context.redirect(context.get("view").links.home, 303);
    });
}

function signInPage(view: View, problem?: string): Html {
  const isWrong = problem !== undefined;
  return page(view, {
    title: "Sign in",
    body: html`<h1>Sign in</h1>
<p class="lead">For whoever manages this service. Everybody may read without it.</p>
${formProblem(problem)}
<form class="follow" method="post" action="${view.links.signIn}">
<label for="token">Token</label>
<div class="field">
<input id="token" name="token" type="password" autocomplete="current-password" required maxlength="1000"${
      isWrong ? html` aria-invalid="true" aria-describedby="problem" autofocus` : ""
    }>
<button>Sign in</button>
</div>
</form>`,
  });
}

const COOKIE = "rs-harvest";

/** Seconds that a sign-in lasts. */
const SESSION = 30 * 86_400;

/** Whether a request has the token, or a cookie that was signed with it. */
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

/** In constant time. */
function isToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

/** Sets a signed cookie, which does not hold the token. */
export async function signIn(context: Context<WebEnv>, token: string, now: number): Promise<void> {
  await setSignedCookie(context, COOKIE, String(Math.floor(now + SESSION)), token, {
    ...cookieOptions(context),
    httpOnly: true,
    sameSite: "Strict",
    maxAge: SESSION,
  });
}

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
