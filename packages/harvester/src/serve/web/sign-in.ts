import { Hono } from "hono";
import { html } from "hono/html";
import { type Authentication, MANY } from "./authentication.ts";
import type { View, WebDependencies, WebEnv } from "./environment.ts";
import { formProblem, type Html, page } from "./look/layout.ts";
import { field } from "./request.ts";

export function signInRoutes(
  { writer }: Pick<WebDependencies, "writer">,
  authentication: Authentication,
): Hono<WebEnv> {
  return new Hono<WebEnv>()
    .get("/sign-in", (context) => context.html(signInPage(context.get("view"))))
    .post("/sign-in", async (context) => {
      const view = context.get("view");
      const verdict = authentication.judge(context, await field(context, "token"));
      if (verdict.kind === "wrong") {
        return context.html(signInPage(view, "That is not the token."), 401);
      }
      if (verdict.kind === "refused") {
        context.header("Retry-After", String(verdict.wait));
        return context.html(signInPage(view, MANY), 429);
      }
      await writer.beginSession(authentication.signIn(context));
      return context.redirect(view.links.home, 303);
    })
    .post("/sign-out", async (context) => {
      const session = authentication.signOut(context);
      if (session !== undefined) await writer.endSession(session);
      return context.redirect(context.get("view").links.home, 303);
    });
}

function signInPage(view: View, problem?: string): Html {
  const isWrong = problem !== undefined;
  return page(view, {
    title: "Sign in",
    body: html`<h1>Sign in</h1>
<p class="lead">For the operator of this service. Everybody may read without it.</p>
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
