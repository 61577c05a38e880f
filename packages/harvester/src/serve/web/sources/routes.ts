import { lineOf } from "@rs-emit/feeds";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { HEALTHS } from "../../../health-names.ts";
import { otherReader } from "../../../readers/index.ts";
import { fittingLabels } from "../../../site-list.ts";
import { inTransaction } from "../../../store/dialects.ts";
import { pollSitemap } from "../../../store/following/choose-polling.ts";
import { rename, unfollow } from "../../../store/following/following.ts";
import { allLabels, setLabels } from "../../../store/following/label.ts";
import { addressesMergedInto, mergedInto } from "../../../store/following/merged-source.ts";
import {
  checkSoon,
  INTERVALS,
  type Interval,
  pause,
  setCheckInterval,
} from "../../../store/following/next-check.ts";
import { block } from "../../../store/host.ts";
import { checksOf } from "../../../store/kept-checks.ts";
import { latestEntries } from "../../../store/pages/entries.ts";
import type { Database } from "../../../store/schema.ts";
import { NO_SOURCE, pathNumber, queryNumber, readForm, requireRight } from "../guards.ts";
import {
  type ListedSource,
  listedSource,
  listSources,
  pollUnpolled,
  type SourceFilter,
} from "../queries/source-list.ts";
import type { WebDependencies, WebEnv } from "../request-context.ts";
import { questionPage } from "./actions.ts";
import { type Done, sourcesPage, sourcesPath } from "./list.ts";
import { sourcePage } from "./source.ts";

export function sourceRoutes(dependencies: WebDependencies): Hono<WebEnv> {
  return new Hono<WebEnv>()
    .route("/", pageRoutes(dependencies))
    .route("/", bulkRoutes(dependencies))
    .route("/", actionRoutes(dependencies))
    .route("/", questionRoutes(dependencies));
}

/** What everybody may see: the list of sources, and the page of each. */
function pageRoutes({ database }: Pick<WebDependencies, "database">): Hono<WebEnv> {
  return new Hono<WebEnv>()
    .get("/sources", async (context) => {
      const filter = filterIn((name) => context.req.query(name));
      const sources = await listSources(database, queryNumber(context, "page") ?? 1, filter);
      const more = { labels: await allLabels(database), done: doneIn(context) };
      return context.html(sourcesPage(context.get("view"), sources, filter, more));
    })
    .get("/sources/:id", async (context) => {
      const view = context.get("view");
      const source = await listedSource(database, pathNumber(context));
      if (source === undefined) return context.redirect(await whereItWent(database, context), 302);
      const before = queryNumber(context, "before");
      const latest = await latestEntries(database, `source/${source.id}`, view.places, before);
      const checks = await checksOf(database, source.id);
      return context.html(
        sourcePage(view, source, {
          latest,
          checks,
          overview: await otherReader.describe(database, source.id, view.now),
          merged: await addressesMergedInto(database, source.id),
        }),
      );
    });
}

/** What is looked for among the sources. */
function filterIn(value: (name: string) => string | undefined): SourceFilter {
  const health = HEALTHS.find((one) => one === value("state"));
  return {
    health,
    // Databases hold no NUL, and one ends a pattern in SQLite.
    name: lineOf(value("name") ?? "", 100),
    label: fittingLabels([value("label") ?? ""])[0],
  };
}

function doneIn(context: Context<WebEnv>): Done | undefined {
  const kind = context.req.query("done");
  if (kind === "unfollowed") return { kind };
  const sites = queryNumber(context, "sites");
  return kind === "polled" && sites !== undefined ? { kind, sites } : undefined;
}

/** Actions after which the page of the source is shown again. */
function actionRoutes({ database, writing, now }: WebDependencies): Hono<WebEnv> {
  const shown = (context: Context<WebEnv>, { id }: ListedSource) =>
    context.redirect(context.get("view").links.source(id), 303);
  const app = new Hono<WebEnv>().post("/sources/:id/lists", async (context) => {
    requireRight(context, "mayFollow");
    const source = await sourceIn(context, database);
    if (source.followedBy !== "log") await pollSitemap(writing, source.id, now());
    return shown(context, source);
  });
  const actions = {
    gone: async ({ id }) => {
      await otherReader.choose(writing, id, now());
      await checkSoon(writing, id, now());
    },
    check: ({ id }) => checkSoon(writing, id, now()),
    pause: ({ id }) => pause(writing, id),
    settings: async (source, context) => {
      const field = await readForm(context);
      const interval = intervalOf(field("interval"));
      const name = lineOf(field("name"));
      if (interval !== source.interval) await setCheckInterval(writing, source.id, interval, now());
      if (name !== (source.name ?? "")) await rename(writing, source.id, name);
      const labels = labelsIn(field("labels"));
      await inTransaction(writing, (transaction) => setLabels(transaction, source.id, labels));
    },
  } satisfies Record<string, Action>;
  for (const [name, act] of Object.entries<Action>(actions)) {
    app.post(`/sources/:id/${name}`, async (context) => {
      const source = await managedSource(context, database);
      await act(source, context);
      return shown(context, source);
    });
  }
  return app;
}

/** What is done with all sources that are looked for. */
function bulkRoutes({ writing, now }: WebDependencies): Hono<WebEnv> {
  return new Hono<WebEnv>().post("/sources/poll", async (context) => {
    requireRight(context, "mayManage");
    const view = context.get("view");
    const field = await readForm(context);
    const filter = filterIn((one) => (one === "name" || one === "label" ? field(one) : undefined));
    const sites = await pollUnpolled(writing, filter, now());
    const path = sourcesPath(view, filter);
    const done = new URLSearchParams({ done: "polled", sites: String(sites) });
    return context.redirect(`${path}${path.includes("?") ? "&" : "?"}${done}`, 303);
  });
}

type Action = (source: ListedSource, context: Context<WebEnv>) => Promise<void>;

/** Actions that are asked about first. */
function questionRoutes({ database, writing }: WebDependencies): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  for (const asked of ["unfollow", "block"] as const) {
    app
      .get(`/sources/:id/${asked}`, async (context) => {
        const source = await managedSource(context, database);
        return context.html(questionPage(context.get("view"), source, asked));
      })
      .post(`/sources/:id/${asked}`, async (context) => {
        const { id, host } = await managedSource(context, database);
        const { links } = context.get("view");
        await (asked === "block" ? block(writing, host) : unfollow(writing, id));
        const after = asked === "block" ? links.blocked : `${links.sources}?done=unfollowed`;
        return context.redirect(after, 303);
      });
  }
  return app;
}

/** @throws {HTTPException} 404, and 403 for others than managers */
function managedSource(context: Context<WebEnv>, database: Database): Promise<ListedSource> {
  requireRight(context, "mayManage");
  return sourceIn(context, database);
}

/** @throws {HTTPException} 404 */
async function sourceIn(context: Context<WebEnv>, database: Database): Promise<ListedSource> {
  const source = await listedSource(database, pathNumber(context));
  if (source === undefined) throw new HTTPException(404, { message: NO_SOURCE });
  return source;
}

/** A check may find that the site is followed already, by another address. Throws {@link HTTPException}. */
async function whereItWent(database: Database, context: Context<WebEnv>): Promise<string> {
  const into = await mergedInto(database, pathNumber(context));
  if (into === undefined) throw new HTTPException(404, { message: NO_SOURCE });
  return context.get("view").links.source(into);
}

/** One a line. */
function labelsIn(text: string): readonly string[] {
  return fittingLabels(text.split(/\r\n|[\r\n]/));
}

/** `undefined` for the default. Throws {@link HTTPException}. */
function intervalOf(text: string): Interval | undefined {
  if (text === "") return undefined;
  const interval = INTERVALS.find((one) => String(one) === text);
  if (interval !== undefined) return interval;
  throw new HTTPException(400, { message: "A source cannot be checked as often as that." });
}
