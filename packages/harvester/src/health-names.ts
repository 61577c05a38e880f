import { count, plural } from "@rs-emit/documents";
import type { Condition, FollowedBy, SourceState, Unfollowed } from "./store/schema.ts";

/** How a source does, as pages, commands and monitors name it: while it is followed by its condition, else by its state. */
export const HEALTHS = [
  "waiting",
  "well",
  "has-sitemap",
  "has-feed",
  "has-nothing",
  "no-change-log",
  "troubled",
  "not-read",
  "paused",
  "gone",
  "opted-out",
  "blocked",
] as const satisfies readonly (Condition | SourceState)[];
export type Health = (typeof HEALTHS)[number];

/** Those of sites by which nothing can be followed as they are. That is no failure. */
export const UNFOLLOWED = [
  "has-sitemap",
  "has-feed",
  "has-nothing",
  "no-change-log",
] as const satisfies readonly Unfollowed[];

export function isUnfollowed(health: Health): health is Unfollowed {
  return UNFOLLOWED.some((one) => one === health);
}

export function healthOf({
  state,
  condition,
}: {
  readonly state: SourceState;
  readonly condition: Condition;
}): Health {
  if (state === "followed") return condition;
  return state === "unfollowed" ? "gone" : state;
}

export const LABELS: Readonly<Record<Health, string>> = {
  waiting: "Waiting",
  well: "Well",
  "has-sitemap": "Sitemap alone",
  "has-feed": "Own feed",
  "has-nothing": "Nothing to follow",
  "no-change-log": "No change log",
  troubled: "In trouble",
  "not-read": "Not read yet",
  paused: "Paused",
  gone: "Gone",
  "opted-out": "Opted out",
  blocked: "Blocked",
};

/** What is said of a site: by what it is followed, or why it is not. */
export type Standing = FollowedBy | Exclude<Health, "well">;

/** As they are told: what is followed comes first. */
export const STANDINGS = ["log", "sitemap", ...HEALTHS.filter((one) => one !== "well")] as const;

export function standingOf(row: {
  readonly state: SourceState;
  readonly condition: Condition;
  readonly followed_by: FollowedBy | null;
}): Standing {
  const health = healthOf(row);
  return health === "well" ? (row.followed_by ?? "log") : health;
}

/** How a site with that standing does. */
export function healthBehind(standing: Standing): Health {
  return standing === "log" || standing === "sitemap" ? "well" : standing;
}

/** How many sites have each standing. */
export type StandingCounts = ReadonlyMap<Standing, number>;

/** How many sites do so; of all without `health`. */
export function countOf(counts: StandingCounts, health?: Health): number {
  let sites = 0;
  for (const [standing, some] of counts) {
    if (health === undefined || health === healthBehind(standing)) sites += some;
  }
  return sites;
}

/** What one site does, and what several do. */
const SAYINGS: Readonly<Record<Standing, readonly [one: string, several: string]>> = {
  log: ["is followed by its change log", "are followed by their change logs"],
  sitemap: ["is followed by its sitemap", "are followed by their sitemaps"],
  waiting: ["is still to be checked", "are still to be checked"],
  "has-sitemap": [
    "has no change log, and can be followed by its sitemap",
    "have no change log, and can be followed by their sitemaps",
  ],
  "has-feed": [
    "needs no harvester: it has a feed of its own",
    "need no harvester: they have feeds of their own",
  ],
  "has-nothing": [
    "publishes neither change log nor sitemap nor feed",
    "publish neither change log nor sitemap nor feed",
  ],
  "no-change-log": ["publishes no change log", "publish no change log"],
  troubled: ["is in trouble", "are in trouble"],
  "not-read": ["could not be read", "could not be read"],
  paused: ["is paused", "are paused"],
  gone: ["was taken away for good", "were taken away for good"],
  "opted-out": ["does not want to be followed", "do not want to be followed"],
  blocked: ["is blocked by the operator", "are blocked by the operator"],
};

/** `is followed by its change log` */
export function standingText(standing: Standing, sites = 1): string {
  return plural(sites, ...SAYINGS[standing]);
}

/** `3 sites are followed by their change logs; 1 site could not be read` */
export function standingsText(counts: StandingCounts): string {
  return [...counts]
    .map(([standing, sites]) => `${count(sites, "site")} ${standingText(standing, sites)}`)
    .join("; ");
}
