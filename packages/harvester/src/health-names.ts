import { numeral } from "@rs-emit/documents";
import type { Condition, Published, SourceState } from "./store/schema.ts";

/** How a source does, as pages, commands and monitors name it: while it is followed by its condition, else by its state. */
export const HEALTHS = [
  "waiting",
  "well",
  "no-change-log",
  "troubled",
  "not-read",
  "paused",
  "gone",
  "opted-out",
  "blocked",
] as const satisfies readonly (Condition | SourceState)[];
export type Health = (typeof HEALTHS)[number];

/** What a site without a change log publishes besides. */
export const PUBLISHED = ["sitemap", "feed", "nothing"] as const satisfies readonly Published[];

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
  waiting: "New",
  well: "Well",
  "no-change-log": "No change log",
  troubled: "In trouble",
  "not-read": "Not read yet",
  paused: "Paused",
  gone: "Gone",
  "opted-out": "Opted out",
  blocked: "Blocked",
};

/** Sources by how they do: `60 well, 230 without a change log`. */
export function healthText(counts: ReadonlyMap<Health, number>): string {
  return HEALTHS.flatMap((health) => {
    const count = counts.get(health) ?? 0;
    const words =
      health === "no-change-log" ? "without a change log" : LABELS[health].toLowerCase();
    return count === 0 ? [] : [`${numeral(count)} ${words}`];
  }).join(", ");
}
