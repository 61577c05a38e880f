import { Hono } from "hono";
import { AddressError, normalizeAddress } from "../../../discover/address.ts";
import { blockedHosts } from "../../../store/queries/sources.ts";
import type { WebDependencies, WebEnv } from "../environment.ts";
import { requireRight } from "../guards.ts";
import { blockedPage } from "../pages/blocked.ts";
import { field } from "./request.ts";

/** The hosts that nobody can follow: looked at, added, allowed again. */
export function blockedRoutes({ database, writer }: WebDependencies): Hono<WebEnv> {
  return new Hono<WebEnv>()
    .get("/blocked", async (context) => {
      requireRight(context, "mayManage");
      return context.html(blockedPage(context.get("view"), await blockedHosts(database)));
    })
    .post("/blocked", async (context) => {
      requireRight(context, "mayManage");
      const view = context.get("view");
      const allowed = await field(context, "allow");
      try {
        if (allowed !== "") await writer.unblock(allowed);
        else await writer.block(hostOf(await field(context, "block")));
      } catch (error) {
        if (!(error instanceof AddressError)) throw error;
        return context.html(blockedPage(view, await blockedHosts(database), error.message), 400);
      }
      return context.redirect(view.links.blocked, 303);
    });
}

/** The host of what was typed in: a name, or any address on it. */
function hostOf(text: string): string {
  return new URL(normalizeAddress(text)).hostname;
}
