import { count, numeral, plural } from "@rs-emit/documents";
import { HarvestError } from "@rs-emit/reader";
import { Hono } from "hono";
import { html } from "hono/html";
import { streamText } from "hono/streaming";
import { isUnfollowed, standingText } from "../../health-names.ts";
import { SITE_LIST_LIMITS } from "../../opml.ts";
import { causeOf } from "../../problem-causes.ts";
import { readSiteList } from "../../site-list.ts";
import { type FollowedAll, followAll } from "../../store/following/following.ts";
import {
  type Feedless,
  feedlessSites,
  followedAddresses,
} from "../../store/pages/exported-sites.ts";
import { type ListReport, listReport, type StandingGroup } from "../../store/pages/health.ts";
import { linkedName } from "./entries.ts";
import { readForm, requireRight } from "./guards.ts";
import { formProblem, type Html, items, page } from "./look/layout.ts";
import type { View, WebDependencies, WebEnv } from "./request-context.ts";

/** Bytes of a form that holds a list. */
export const IMPORT_BYTES = 2 * SITE_LIST_LIMITS.length;
const NAMED = 50;
const FEEDLESS = 3;

export function importRoutes({ database, writing, settings, now }: WebDependencies): Hono<WebEnv> {
  const feedless = () => feedlessSites(database, FEEDLESS);
  return new Hono<WebEnv>()
    .get("/import", async (context) => {
      requireRight(context, "mayManage");
      const given = { list: "", pollSitemaps: settings.pollSitemaps };
      return context.html(importPage(context.get("view"), await feedless(), given));
    })
    .post("/import", async (context) => {
      requireRight(context, "mayManage");
      const view = context.get("view");
      const field = await readForm(context, IMPORT_BYTES);
      const [file, list] = [field("file"), field("list")];
      const pollSitemaps = settings.pollSitemaps || field("lists") !== "";
      // A file cannot be put into its field again.
      const given = { list: list.trim() === "" ? file : list, pollSitemaps };
      try {
        const read = [file, list].map(readSiteList);
        const sites = read.flatMap((one) => one.sites);
        const time = now();
        const followed = await followAll(writing, sites, time, pollSitemaps);
        const refused = [...read.flatMap((one) => one.refused), ...followed.refused];
        const reported = view.links.imported(time);
        if (refused.length === 0) return context.redirect(reported, 303);
        const hasNone = followed.added + followed.known === 0;
        const result = resultPage(view, { ...followed, refused }, given, reported);
        return context.html(result, hasNone ? 400 : 200);
      } catch (error) {
        if (!(error instanceof HarvestError)) throw error;
        return context.html(importPage(view, await feedless(), given, error.message), 400);
      }
    })
    .get("/import/:time{\\d{1,12}(?:\\.\\d{1,12})?}", async (context) => {
      requireRight(context, "mayManage");
      const time = Number(context.req.param("time"));
      const report = await listReport(database, time, NAMED);
      return context.html(reportPage(context.get("view"), report, time));
    })
    .get("/sources.txt", (context) =>
      streamText(context, async (stream) => {
        for await (const lines of followedAddresses(database)) await stream.write(lines);
      }),
    );
}

/** What the form holds. */
interface Given {
  readonly list: string;
  readonly pollSitemaps: boolean;
}

function importPage(view: View, feedless: Feedless, given: Given, problem?: string): Html {
  const { links } = view;
  return page(view, {
    title: problem === undefined ? "Import a list" : "That did not work",
    body: html`<h1>Import a list</h1>
<p class="lead">Follow many sites at once, with the names and folders that the list gives them. What you have said of a site before stays.</p>
${formProblem(problem)}
${importForm(view, given, problem === undefined ? undefined : "problem")}
<h2>Export</h2>
<p><a href="${links.addresses}">The followed sites, one address a line</a>, for another rs-harvest.
<a href="${links.opml}">Their feeds as OPML</a>, for a feed reader: with their names, and a folder for each label.</p>
${feedless.sites === 0 ? "" : feedlessHint(feedless)}`,
  });
}

function feedlessHint({ sites, names }: Feedless): Html {
  const more = sites - names.length;
  return html`<p class="hint">${count(sites, "site")} ${plural(sites, "has", "have")} no feed yet, and ${plural(sites, "is", "are")} not in it:
<span dir="auto">${names.join(", ")}</span>${more === 0 ? "" : ` and ${numeral(more)} more`}.</p>`;
}

/** @param problem the id of the element that says what is wrong with the list */
function importForm({ links }: View, given: Given, problem?: string): Html {
  const wrong =
    problem === undefined ? "" : html` aria-invalid="true" aria-describedby="${problem}"`;
  // HTML drops a line end after the start tag, which may be one of the text.
  return html`<form class="follow" method="post" action="${links.import}" enctype="multipart/form-data">
<label for="file">An OPML file from a feed reader, or a text file</label>
<input id="file" name="file" type="file" accept=".opml,.xml,.txt,text/plain,text/x-opml">
<label for="list">Or paste addresses here, one a line</label>
<textarea id="list" name="list" rows="8" spellcheck="false" autocapitalize="none"${wrong}>
${given.list}</textarea>
<label class="choice"><input name="lists" type="checkbox" value="poll"${given.pollSitemaps ? html` checked` : ""}> Follow those without a change log by their sitemaps</label>
<button>Follow them all</button>
</form>`;
}

/** The list stays in the form where some of it was refused: what is followed already may be given again. */
function resultPage(
  view: View,
  { added, known, refused }: FollowedAll,
  given: Given,
  reported: string,
): Html {
  const { links } = view;
  return page(view, {
    title: "Import a list",
    body: html`<h1>Import a list</h1>
<p class="notice" role="status">${followedText(added, known)}
${added + known === 0 ? "" : html`<a href="${reported}">What becomes of each</a>`}</p>
${refusedList(refused)}${importForm(view, given, "refused")}
<p><a href="${links.sources}">See the sources</a>, or <a href="${links.import}">import another list</a>.</p>`,
  });
}

function followedText(added: number, known: number): string {
  const now = `${count(added, "site")} ${plural(added, "is", "are")} followed now.`;
  if (known === 0) return now;
  return `${now} ${count(known, "site")} ${plural(known, "was", "were")} followed already.`;
}

/** What became of the sites of a list, by name. It stays still: it may be long, and is read meanwhile. */
function reportPage(view: View, { total, added, groups }: ListReport, time: number): Html {
  const { links } = view;
  const waiting = groups.find(({ standing }) => standing === "waiting")?.count ?? 0;
  return page(view, {
    title: "What became of the list",
    body: html`<h1>What became of the list</h1>
<p class="notice" role="status">${followedText(added, total - added)}
${waiting === 0 ? "" : html`${numeral(total - waiting)} of ${numeral(total)} are checked so far. <a href="${links.imported(time)}">Look again</a>`}</p>
${groups.map((group) => groupSection(view, group))}
<p><a href="${links.sources}">See the sources</a>, or <a href="${links.import}">import another list</a>.</p>`,
  });
}

function groupSection({ links }: View, { standing, count: all, sites }: StandingGroup): Html {
  const isQuiet = standing === "log" || standing === "sitemap" || isUnfollowed(standing);
  const named = sites.map(
    ({ id, title, ownFeed, problem }) =>
      html`<a href="${links.source(id)}" dir="auto">${title}</a>${
        ownFeed === undefined ? "" : html`: ${linkedName("its feed", ownFeed, "")}`
      }${isQuiet || problem === undefined ? "" : `: ${causeOf(problem)}`}`,
  );
  return html`<section aria-labelledby="${standing}">
<h2 id="${standing}">${count(all, "site")} ${standingText(standing, all)}</h2>
<ul class="fates">${items(named, all)}</ul>
</section>
`;
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
