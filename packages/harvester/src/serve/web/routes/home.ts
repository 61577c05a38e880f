import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { AddressError, normalizeAddress } from "../../../discover/address.ts";
import { HarvestError } from "../../../errors.ts";
import { latestEntries, wholeEntry } from "../../../store/queries/entries.ts";
import { Allowance } from "../access/allowance.ts";
import { clientOf } from "../access/client.ts";
import type { WebDependencies, WebEnv } from "../environment.ts";
import { requireRight } from "../guards.ts";
import { relativeTime } from "../look/words.ts";
import { aboutPage } from "../pages/about.ts";
import { entryPage } from "../pages/entry.ts";
import { type FormProblem, homePage } from "../pages/home.ts";
import { field, pathNumber, queryNumber } from "./request.ts";

/** What anybody may follow on a service that is open: a blogroll at once, and a few more each hour. */
const FOLLOWS = { atOnce: 10, perHour: 20 };

/** The first page with its form, and the page about the service. */
export function homeRoutes({ database, writer, settings, now }: WebDependencies): Hono<WebEnv> {
  const allowance = new Allowance(FOLLOWS, now);
  const home = async (context: Context<WebEnv>, problem?: FormProblem) => {
    const view = context.get("view");
    const before = queryNumber(context, "before");
    return homePage(view, await latestEntries(database, "all", view.places, before), problem);
  };
  return new Hono<WebEnv>()
    .get("/", async (context) => context.html(await home(context)))
    .get("/about", (context) => context.html(aboutPage(context.get("view"), settings.contact)))
    .get("/entries/:id", async (context) => {
      const view = context.get("view");
      const number = queryNumber(context, "page") ?? 1;
      const id = pathNumber(context);
      const entry = await wholeEntry(database, id, number, view.places);
      if (entry === undefined) throw new HTTPException(404, { message: "There is no such entry." });
      return context.html(entryPage(view, id, entry, number));
    })
    .post("/follow", async (context) => {
      requireRight(context, "mayFollow");
      const { links, rights } = context.get("view");
      const address = await field(context, "address");
      if (!rights.mayManage) takeTurn(context, allowance, clientOf(context, settings.trustProxy));
      try {
        const { id, host, isNew } = await writer.follow(normalizeAddress(address));
        const query = isNew ? `?of=${encodeURIComponent(host)}` : "";
        return context.redirect(links.source(id) + query, 303);
      } catch (error) {
        const isBlocked = error instanceof HarvestError && error.code === "BLOCKED";
        if (!(error instanceof AddressError) && !isBlocked) throw error;
        const status = error instanceof AddressError ? 400 : 403;
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
