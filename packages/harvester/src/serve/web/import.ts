import { count, plural } from "@rs-emit/documents";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { streamText } from "hono/streaming";
import { HarvestError } from "../../errors.ts";
import { readSiteList, SITE_LIST_LIMITS } from "../../site-list.ts";
import type { FollowedAll } from "../../store/following.ts";
import { followedAddresses } from "../../store/queries/followed-sites.ts";
import { formProblem, type Html, items, page } from "./look/layout.ts";
import { field, requireRight } from "./requests.ts";
import type { View, WebDependencies, WebEnv } from "./view.ts";

const FORM = 2 * SITE_LIST_LIMITS.length;
const NAMED = 50;

export function importRoutes({ database, writer }: WebDependencies): Hono<WebEnv> {
  return new Hono<WebEnv>()
    .get("/import", (context) => {
      requireRight(context, "mayManage");
      return context.html(importPage(context.get("view")));
    })
    .post("/import", bodyLimit({ maxSize: FORM, onError: tooLong }), async (context) => {
      requireRight(context, "mayManage");
      const view = context.get("view");
      const list = await listIn(context);
      try {
        const fromLists = (await field(context, "lists")) !== "";
        const result = await writer.followAll(readSiteList(list), fromLists);
        return context.html(resultPage(view, result));
      } catch (error) {
        if (!(error instanceof HarvestError)) throw error;
        return context.html(importPage(view, { list, text: error.message }), 400);
      }
    })
    .get("/sources.txt", (context) =>
      streamText(context, async (stream) => {
        for await (const lines of followedAddresses(database)) await stream.write(lines);
      }),
    );
}

/** A file comes before pasted text. */
async function listIn(context: Context<WebEnv>): Promise<string> {
  const file = await field(context, "file");
  return file.trim() === "" ? field(context, "list") : file;
}

function tooLong(): never {
  throw new HTTPException(413, { message: "The list is too long. Split it into several lists." });
}

interface ListProblem {
  readonly list: string;
  readonly text: string;
}

/** Characters of a list that the form shows again, for correction. */
const GIVEN_BACK = 100_000;

function importPage(view: View, problem?: ListProblem): Html {
  const { links } = view;
  const isWrong = problem !== undefined;
  const list = (problem?.list ?? "").length > GIVEN_BACK ? "" : (problem?.list ?? "");
  return page(view, {
    title: isWrong ? "That did not work" : "Import a list",
    body: html`<h1>Import a list</h1>
<p class="lead">Follow many sites at once. Sites that are followed already stay as they are.</p>
${formProblem(problem?.text)}
<form class="follow" method="post" action="${links.import}" enctype="multipart/form-data">
<label for="file">An OPML file from a feed reader, or a text file</label>
<input id="file" name="file" type="file" accept=".opml,.xml,.txt,text/plain,text/x-opml">
<label for="list">Or paste addresses here, one a line</label>
<textarea id="list" name="list" rows="8" spellcheck="false" autocapitalize="none"${
      isWrong ? html` aria-invalid="true" aria-describedby="problem"` : ""
    }>${list}</textarea>
<label class="choice"><input name="lists" type="checkbox" value="watch"> Watch the lists of pages of sites without a change log</label>
<button>Follow them all</button>
</form>
<h2>Export</h2>
<p><a href="${links.addresses}">The followed sites, one address a line</a>, for another rs-harvest.
<a href="${links.opml}">Their feeds as OPML</a>, for a feed reader.</p>`,
  });
}

function resultPage(view: View, { added, known, refused }: FollowedAll): Html {
  const { links } = view;
  return page(view, {
    title: "Import a list",
    body: html`<h1>Import a list</h1>
<p class="notice" role="status">${count(added, "site")} ${plural(added, "is", "are")} followed now.
${known === 0 ? "" : `${count(known, "site")} ${plural(known, "was", "were")} followed already.`}</p>
${refused.length === 0 ? "" : refusedList(refused)}
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
