import { Hono } from "hono";
import { html } from "hono/html";
import { Allowance, clientOf } from "./clients.ts";
import type { View, WebDependencies, WebEnv } from "./environment.ts";
import { type Html, page } from "./look/layout.ts";
import { field } from "./request.ts";
import { isToken, signIn, signOut } from "./session.ts";

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

/** The form that asks for the token. */
function signInPage(view: View, problem?: string): Html {
  const isWrong = problem !== undefined;
  return page(view, {
    title: "Sign in",
    body: html`<h1>Sign in</h1>
<p class="lead">For whoever manages this service. Everybody may read without it.</p>
${isWrong ? html`<p class="notice trouble" id="problem" role="alert">${problem}</p>` : ""}
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
