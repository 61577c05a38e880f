import { numeral } from "@rs-emit/documents";
import { dayOf, languageTag } from "@rs-emit/feeds";
import { hasCode, normalizeAddress } from "@rs-emit/reader";
import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { follow } from "../../store/following/following.ts";
import { allLabels } from "../../store/following/label.ts";
import type { ListedEntry } from "../../store/pages/entries.ts";
import { changedPages } from "./entries.ts";
import { readForm, requireRight } from "./guards.ts";
import {
  formProblem,
  type Html,
  hostBeside,
  isLately,
  labelFilter,
  page,
  pager,
  queryOf,
  relativeTime,
  timeElement,
} from "./look/layout.ts";
import { type DayCursor, type LatestDays, latestDays, type SourceOnDay } from "./queries/days.ts";
import { followsAny } from "./queries/source-list.ts";
import { Allowance, clientOf } from "./rate-limits.ts";
import type { View, WebDependencies, WebEnv } from "./request-context.ts";

/** Of an open service: a blogroll at once, and a few more each hour. */
export const FOLLOWS = { atOnce: 10, perHour: 20 };

export function homeRoutes({ database, writing, settings, now }: WebDependencies): Hono<WebEnv> {
  const allowance = new Allowance(FOLLOWS, now);
  const home = async (context: Context<WebEnv>, problem?: FormProblem) => {
    const view = context.get("view");
    const before = parseCursor(context.req.query("before"));
    const labels = await allLabels(database);
    const label = labels.find((one) => one === context.req.query("label"));
    const latest = await latestDays(database, view.places, { before, label });
    const isUsed = latest.items.length > 0 || (await followsAny(database));
    const shown = { latest, labels, label, isFirst: before === undefined };
    return homePage(view, isUsed ? shown : undefined, problem);
  };
  return new Hono<WebEnv>()
    .get("/", async (context) => context.html(await home(context)))
    .post("/follow", async (context) => {
      requireRight(context, "mayFollow");
      const { links, rights } = context.get("view");
      if (!rights.mayManage) takeTurn(context, allowance, clientOf(context, settings.trustProxy));
      const address = (await readForm(context))("address");
      try {
        const url = normalizeAddress(address);
        const { id } = await follow(writing, url, now(), settings.pollSitemaps);
        return context.redirect(links.source(id), 303);
      } catch (error) {
        if (!hasCode(error, "ADDRESS") && !hasCode(error, "BLOCKED")) throw error;
        const status = hasCode(error, "ADDRESS") ? 400 : 403;
        return context.html(await home(context, { address, text: error.message }), status);
      }
    });
}

function takeTurn(context: Context<WebEnv>, allowance: Allowance, client: string): void {
  const wait = allowance.take(client);
  if (wait === 0) return;
  context.header("Retry-After", String(wait));
  const when = relativeTime(wait, 0);
  throw new HTTPException(429, {
    message: `You have followed many sites. You can follow another ${when}.`,
  });
}

interface FormProblem {
  /** As it was typed. */
  readonly address: string;
  readonly text: string;
}

interface Shown {
  readonly latest: LatestDays;
  readonly labels: readonly string[];
  /** The label whose sources are shown; `undefined` for all. */
  readonly label: string | undefined;
  /** The newest changes are shown. */
  readonly isFirst: boolean;
}

/** @param shown absent while nothing is followed */
function homePage(view: View, shown: Shown | undefined, problem?: FormProblem): Html {
  const label = shown?.label;
  const feeds = [
    ...(label === undefined ? [] : [{ title: label, href: view.links.feed(`label/${label}`) }]),
    { title: "Changes of all followed sites", href: view.links.feed("all") },
  ];
  const title = shown === undefined ? "Follow a site" : "What changed lately";
  return page(view, {
    title: problem === undefined ? title : "That did not work",
    feeds,
    body:
      shown === undefined
        ? html`<h1>${title}</h1>
${firstForm(view, problem)}`
        : html`${lineForm(view, problem)}
${changes(view, title, shown)}`,
  });
}

function changes(view: View, title: string, shown: Shown): Html {
  const { links } = view;
  const { latest, labels, label } = shown;
  return html`<section id="changes" aria-labelledby="changes-title">
<div class="line">
<h1 id="changes-title">${title}</h1>
<p class="feeds">${label === undefined ? "" : html`<a class="feed" href="${links.feed(`label/${label}`)}">Feed of this label</a> `}<a class="feed" href="${links.feed("all")}">Feed of everything</a> <a href="${links.opml}">All feeds (OPML)</a></p>
</div>
${labelFilter(labels, label, (one) => (one === undefined ? links.home : `${links.home}?${queryOf({ label: one })}`))}
${
  latest.items.length === 0
    ? html`<p class="empty">Nothing yet. How the sites do: <a href="${links.sources}">sources</a>.</p>`
    : dayList(view, latest)
}
${newerAndOlder(view, shown)}
</section>`;
}

/** Above the changes: who comes back comes for these. */
function lineForm(view: View, problem: FormProblem | undefined): Html {
  if (!view.rights.mayFollow) return notForYou(view);
  return html`${formProblem(problem?.text)}
<form class="brief" method="post" action="${view.links.follow}">
<label for="address">Follow a site</label>
${addressField(problem, problem === undefined ? undefined : "problem")}
</form>`;
}

/** For who comes first, and has to know what to give. */
function firstForm(view: View, problem: FormProblem | undefined): Html {
  if (!view.rights.mayFollow) return notForYou(view);
  return html`<p class="lead">Paste the address of a site that publishes a change log, and get a feed of its changes for your feed reader.</p>
${formProblem(problem?.text)}
<form class="follow" method="post" action="${view.links.follow}">
<label for="address">Address of the site</label>
<div class="field">
${addressField(problem, problem === undefined ? "hint" : "problem hint")}
</div>
<p class="hint" id="hint">Any page of it will do. A site without a change log can be followed by its sitemap.</p>
</form>
${view.rights.mayManage ? html`<p>To follow many sites, <a href="${view.links.import}">import a list</a>: a file of addresses, or the OPML file of a feed reader.</p>` : ""}`;
}

function notForYou({ links, rights }: View): Html {
  return html`<p class="hint">To follow sites here, ${
    rights.canSignIn
      ? html`<a href="${links.signIn}">sign in</a>`
      : html`ask the operator of this service`
  }. The feeds are for everybody.</p>`;
}

/** @param description the ids of what describes it */
function addressField(problem: FormProblem | undefined, description: string | undefined): Html {
  return html`<input id="address" name="address" type="text" inputmode="url" autocomplete="url" autocapitalize="none" spellcheck="false"
 required maxlength="2000" value="${problem?.address ?? ""}" placeholder="example.org"${
   description === undefined ? "" : html` aria-describedby="${description}"`
 }${problem === undefined ? "" : html` aria-invalid="true" autofocus`}>
<button>Follow</button>`;
}

const DAY = 86_400;

const PAGES = 6;

/** By day, then by site, latest first. */
function dayList(view: View, { items }: LatestDays): Html {
  const days = Map.groupBy(items, ({ day }) => day);
  return html`${[...days].map(
    ([day, sites]) => html`<section class="day" aria-labelledby="day-${day}">
<h2 id="day-${day}">${dayName(day, view.now)}</h2>
<ol class="sites" role="list">
${sites.map((site) => html`<li>${siteOfDay(view, site)}</li>`)}
</ol>
</section>
`,
  )}`;
}

function newerAndOlder({ links }: View, { latest: { before }, label, isFirst }: Shown): Html {
  const filter = label === undefined ? {} : { label };
  const page = (query: Readonly<Record<string, string>>) =>
    `${links.home}?${queryOf({ ...filter, ...query })}#changes`;
  return pager(
    {
      previous: isFirst ? undefined : { href: page({}), text: "Newest changes" },
      next: before && { href: page({ before: cursorText(before) }), text: "Older changes" },
    },
    "Pages of changes",
  );
}

/** Days begin at midnight UTC. */
function dayName(day: number, now: number): Html {
  const date = dayOf(day * DAY);
  const ago = Math.floor(now / DAY) - day;
  const name = ago === 0 ? `Today, ${date}` : ago === 1 ? `Yesterday, ${date}` : date;
  return html`<time datetime="${new Date(day * DAY * 1000).toISOString().slice(0, 10)}">${name}</time>`;
}

function siteOfDay(view: View, { day, source, entries, more, last }: SourceOnDay): Html {
  const { id, title, language, host, ownTitle } = source;
  const heading = `site-${day}-${id}`;
  return html`<article aria-labelledby="${heading}">
<header>
<h3 id="${heading}" dir="auto"><a href="${view.links.source(id)}" lang="${languageTag(language) ?? ""}">${title}</a></h3>
${hostBeside(title, host)}
</header>
${entries.map((entry) => entryOfSite(view, entry, [title, ownTitle]))}
${
  more === 0
    ? ""
    : html`<p class="rest"><a href="${view.links.source(id)}?before=${last + 1}#changes">${numeral(more)} more of this site</a></p>`
}
</article>`;
}

/** Names the collection where it is not called like the site. */
function entryOfSite(view: View, listed: ListedEntry, site: readonly string[]): Html {
  const { collection, updated, note } = listed.entry;
  const lang = languageTag(collection.language) ?? "";
  const name = site.includes(collection.title)
    ? ""
    : html`<span lang="${lang}" dir="auto">${collection.title}</span> `;
  // The heading of the day says it, where it is not told how long ago that was.
  const when = isLately(updated, view.now) ? timeElement(updated, view.now) : "";
  const head = name === "" && when === "" ? "" : html`<p class="when">${name}${when}</p>`;
  return html`<div class="entry">${head}
${changedPages(view, listed, PAGES)}
${note === undefined ? "" : html`<p class="hint">${note}</p>`}</div>`;
}

function cursorText({ time, source }: DayCursor): string {
  return `${time}-${source}`;
}

function parseCursor(text: string | undefined): DayCursor | undefined {
  const [, time, source] = /^(\d{1,12}(?:\.\d{1,12})?)-(\d{1,9})$/.exec(text ?? "") ?? [];
  if (time === undefined) return undefined;
  return { time: Number(time), source: Number(source) };
}
