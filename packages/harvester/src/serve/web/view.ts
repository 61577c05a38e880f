import { feedTag } from "@rs-emit/feeds";
import { createMiddleware } from "hono/factory";
import type { Authentication } from "./authentication.ts";
import type { Rights, View, WebDependencies, WebEnv, WebSettings } from "./environment.ts";
import { linksBelow } from "./links.ts";

/** The base of the id of the feed of everything, without a public address. */
const SOMEWHERE = "http://localhost/";

export function viewFor(
  { settings, now }: WebDependencies,
  authentication: Authentication | undefined,
) {
  const { publicUrl } = settings;
  const id = feedTag(publicUrl ?? SOMEWHERE, "everything");
  return createMiddleware<WebEnv>(async (context, next) => {
    const time = now();
    const base = new URL(publicUrl ?? "/", context.req.url);
    const links = linksBelow(base.pathname.replace(/\/*$/, "/"));
    const { origin } = base;
    const places = {
      everything: { id, page: origin + links.home },
      entry: (entry: number) => origin + links.entry(entry),
      document: (...name: Parameters<typeof links.feed>) => origin + links.feed(...name),
    };
    const view: View = { links, places, origin, now: time, rights: NO_RIGHTS };
    context.set("view", view);
    const isSignedIn = (await authentication?.isSignedIn(context)) ?? false;
    context.set("view", { ...view, rights: rightsOf(settings, isSignedIn) });
    await next();
  });
}

const NO_RIGHTS: Rights = {
  mayFollow: false,
  mayManage: false,
  canSignIn: false,
  isSignedIn: false,
};

function rightsOf({ access }: WebSettings, isSignedIn: boolean): Rights {
  if (access.kind === "local") return { ...NO_RIGHTS, mayFollow: true, mayManage: true };
  return {
    mayFollow: isSignedIn || access.kind === "open",
    mayManage: isSignedIn,
    canSignIn: access.token !== undefined && !isSignedIn,
    isSignedIn,
  };
}
