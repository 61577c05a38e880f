import { count, plural } from "@rs-emit/documents";
import { HarvestError } from "@rs-emit/reader";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { streamText } from "hono/streaming";
import { readSiteList, SITE_LIST_LIMITS } from "../../site-list.ts";
import { type FollowedAll, followAll } from "../../store/following.ts";
import { followedAddresses } from "../../store/queries/followed-sites.ts";
import { watchedText } from "../../watched.ts";
import { formProblem, type Html, items, page } from "./look/layout.ts";
import { field, requireRight } from "./requests.ts";
import type { View, WebDependencies, WebEnv } from "./view.ts";

const FORM = 2 * SITE_LIST_LIMITS.length;
const NAMED = 50;

export function importRoutes({ database, writing, settings, now }: WebDependencies): Hono<WebEnv> {
  return new Hono<WebEnv>()
    .get("/import", (context) => {
      requireRight(context, "mayManage");
      const given = { list: "", fromLists: settings.fromLists };
      return context.html(importPage(context.get("view"), given));
    })
    .post("/import", bodyLimit({ maxSize: FORM, onError: tooLong }), async (context) => {
      requireRight(context, "mayManage");
      const view = context.get("view");
      const [file, list] = [await field(context, "file"), await field(context, "list")];
      const fromLists = settings.fromLists || (await field(context, "lists")) !== "";
      // A file cannot be put into its field again.
      const given = { list: list.trim() === "" ? file : list, fromLists };
      try {
        const read = [file, list].map(readSiteList);
        const addresses = read.flatMap((one) => one.addresses);
        const followed = await followAll(writing, addresses, now(), fromLists);
        const refused = [...read.flatMap((one) => one.refused), ...followed.refused];
        const hasNone = refused.length > 0 && followed.added + followed.known === 0;
        const result = resultPage(view, { ...followed, refused }, given);
        return context.html(result, hasNone ? 400 : 200);
      } catch (error) {
        if (!(error instanceof HarvestError)) throw error;
        return context.html(importPage(view, given, error.message), 400);
      }
    })
    .get("/sources.txt", (context) =>
      streamText(context, async (stream) => {
        for await (const lines of followedAddresses(database)) await stream.write(lines);
      }),
    );
}

function tooLong(): never {
  throw new HTTPException(413, { message: "The list is too long. Split it into several lists." });
}

/** What the form holds. */
interface Given {
  readonly list: string;
  readonly fromLists: boolean;
}

function importPage(view: View, given?: Given, problem?: string): Html {
  const { links } = view;
  return page(view, {
    title: problem === undefined ? "Import a list" : "That did not work",
    body: html`<h1>Import a list</h1>
<p class="lead">Follow many sites at once. Sites that are followed already stay as they are, but for what you choose below.</p>
${formProblem(problem)}
${importForm(view, given, problem === undefined ? undefined : "problem")}
<h2>Export</h2>
<p><a href="${links.addresses}">The followed sites, one address a line</a>, for another rs-harvest.
<a href="${links.opml}">Their feeds as OPML</a>, for a feed reader.</p>`,
  });
}

/** @param problem the id of the element that says what is wrong with the list */
function importForm({ links }: View, given?: Given, problem?: string): Html {
  const wrong =
    problem === undefined ? "" : html` aria-invalid="true" aria-describedby="${problem}"`;
  // HTML drops a line end after the start tag, which may be one of the text.
  return html`<form class="follow" method="post" action="${links.import}" enctype="multipart/form-data">
<label for="file">An OPML file from a feed reader, or a text file</label>
<input id="file" name="file" type="file" accept=".opml,.xml,.txt,text/plain,text/x-opml">
<label for="list">Or paste addresses here, one a line</label>
<textarea id="list" name="list" rows="8" spellcheck="false" autocapitalize="none"${wrong}>
${given?.list ?? ""}</textarea>
<label class="choice"><input name="lists" type="checkbox" value="watch"${given?.fromLists ? html` checked` : ""}> Watch those without a change log by their sitemaps</label>
<button>Follow them all</button>
</form>`;
}

/** The list stays in the form where some of it was refused: what is followed already may be given again. */
function resultPage(
  view: View,
  { added, known, refused, watched }: FollowedAll,
  given: Given,
): Html {
  const { links } = view;
  return page(view, {
    title: "Import a list",
    body: html`<h1>Import a list</h1>
<p class="notice" role="status">${count(added, "site")} ${plural(added, "is", "are")} followed now.
${known === 0 ? "" : `${count(known, "site")} ${plural(known, "was", "were")} followed already.`}
${watchedText(watched)}</p>
${refused.length === 0 ? "" : html`${refusedList(refused)}${importForm(view, given, "refused")}`}
<p><a href="${links.sources}">See the sources</a>, or <a href="${links.import}">import another list</a>.</p>`,
  });
}

function refusedList(refused: FollowedAll["refused"]): Html {
  return html`<section class="notice trouble" aria-labelledby="refused">
<h2 id="refused">${count(refused.length, "address", "addresses")} could not be followed</h2>
<ul>${items(
    refused.slice(0, NAMED).map(({ problem }) => html`<span dir="auto">${problem}</span>`),
    refused.length,
  )}</ul>
</section>`;
}
