import type { HttpBindings } from "@hono/node-server";
import { feedTag } from "@rs-emit/feeds";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { FeedName, Places } from "../../store/feed-names.ts";
import type { Store } from "../../store/open-store.ts";
import type { Database } from "../../store/schema.ts";
import { feedPath } from "../feed-paths.ts";
import type { BodyEnv } from "../request-bodies.ts";
import type { Access } from "./access.ts";
import { STYLESHEET_NAME } from "./look/stylesheet.ts";

export interface WebSettings {
  readonly access: Access;
  /** Its address as followers know it; by default the one of the request. */
  readonly publicUrl: string | undefined;
  /** `X-Forwarded-For` names the client. */
  readonly trustProxy: boolean;
  readonly hub: string | undefined;
  /** Every site that is followed from now on is followed by its sitemap while it publishes no change log. */
  readonly pollSitemaps: boolean;
  /** A web or mail address of the operator, who may say none. */
  readonly contact: string | undefined;
}

export interface WebDependencies {
  /** For reading only. */
  readonly database: Database;
  readonly isInPlace: Store["isInPlace"];
  /** What followers do is written by a connection of its own: what they read waits for nothing. */
  readonly writing: Database;
  readonly settings: WebSettings;
  /** UTC seconds. */
  readonly now: () => number;
  readonly report: (problem: unknown) => void;
}

export interface Rights {
  readonly mayFollow: boolean;
  /** Unfollow, block, check at once. */
  readonly mayManage: boolean;
  /** There is a token, and the request does not have it. */
  readonly canSignIn: boolean;
  readonly isSignedIn: boolean;
}

export interface View {
  readonly links: Links;
  readonly places: Places;
  /** Scheme and host that this request was made to. */
  readonly origin: string;
  readonly rights: Rights;
  readonly now: number;
}

export interface WebEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: BodyEnv["Variables"] & { readonly view: View };
}

/** Paths of the pages, from the root of the host. */
export type Links = ReturnType<typeof linksBelow>;

type SourceAction = "check" | "settings" | "pause" | "unfollow" | "block" | "lists" | "gone";

/** @param root the path of the home page; ends with a slash */
function linksBelow(root: string) {
  return {
    home: root,
    follow: `${root}follow`,
    sources: `${root}sources`,
    /** Follows many sources by their sitemaps. */
    poll: `${root}sources/poll`,
    blocked: `${root}blocked`,
    about: `${root}about`,
    signIn: `${root}sign-in`,
    signOut: `${root}sign-out`,
    opml: `${root}feeds/followed.opml`,
    import: `${root}import`,
    /** What became of a list that was imported then. */
    imported: (time: number) => `${root}import/${time}`,
    /** The followed addresses, for another harvester. */
    addresses: `${root}sources.txt`,
    stylesheet: `${root}${STYLESHEET_NAME}`,
    icon: `${root}icon.svg`,
    source: (id: number, action?: SourceAction) =>
      `${root}sources/${id}${action === undefined ? "" : `/${action}`}`,
    /** All changes of an entry, or those after the change with the id `after`. */
    entry: (id: number, after?: number) =>
      `${root}entries/${id}${after === undefined ? "" : `?after=${after}`}`,
    feed: (feed: FeedName, archive?: number) => root + feedPath(feed, archive),
  };
}

/** The base of the id of the feed of everything, without a public address. */
const SOMEWHERE = "http://localhost/";

/** Knows who has signed in. */
interface SignIn {
  isSignedIn(context: Context<WebEnv>): Promise<boolean>;
}

export function viewFor({ settings, now }: WebDependencies, authentication: SignIn | undefined) {
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
