import { html } from "hono/html";
import type { View } from "../environment.ts";
import { type Html, page } from "../look/layout.ts";

const TITLES: Readonly<Record<number, string>> = {
  400: "That was not understood",
  401: "That is not the token",
  403: "That is not for you to do",
  404: "There is nothing here",
  413: "That is too much at once",
  429: "Not so fast",
  500: "Something went wrong",
};

/** Says why a request could not be answered, and where to go on. */
export function problemPage(view: View, status: number, text: string): Html {
  const title = TITLES[status] ?? TITLES[500] ?? "";
  const { links, rights } = view;
  return page(view, {
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p>${status === 403 && rights.canSignIn ? html`<a href="${links.signIn}">Sign in</a>, or go` : "Go"}
to <a href="${links.home}">the first page</a> or to the <a href="${links.sources}">sources</a>.</p>`,
  });
}
