import { html } from "hono/html";
import type { View } from "../environment.ts";
import { type Html, page } from "../look/layout.ts";

/** The form that asks for the token. */
export function signInPage(view: View, problem?: string): Html {
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
