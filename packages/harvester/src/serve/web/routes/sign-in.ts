import { Hono } from "hono";
import { Allowance } from "../access/allowance.ts";
import { clientOf } from "../access/client.ts";
import { isToken, signIn, signOut } from "../access/session.ts";
import type { WebDependencies, WebEnv } from "../environment.ts";
import { signInPage } from "../pages/sign-in.ts";
import { field } from "./request.ts";

/** Wrong tokens of one client. */
const ATTEMPTS = { atOnce: 10, perHour: 30 };

/** Showing the token once for all, and taking that back; where there is no token, nothing. */
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
        // Wrong tokens cost; the right one is never locked out by them.
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
