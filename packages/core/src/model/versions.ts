import { ON_DEMAND, type Representation } from "./resources.ts";

/** What two versions of a page are compared by, wherever they were read. */
export type Version = Pick<Representation, "hash" | "content" | "markup">;

/** `minor`: readers find the same content, though other markup. */
export type Sameness = "same" | "minor" | "full";

/** The one comparison of continuations, backfill and the history that git knows. */
export function compareVersions(before: Version, after: Version): Sameness {
  // Many builders write the build time into a comment, so such differences are no changes.
  if (before.hash === after.hash || areEqual(before.markup, after.markup)) return "same";
  return areEqual(before.content, after.content) ? "minor" : "full";
}

/** A page changes between a file and a server's answer when an option changes, not its content. */
export function isMadeElsewhere(before: Version, after: Version): boolean {
  return (before.content === ON_DEMAND) !== (after.content === ON_DEMAND);
}

/** Identities of different schemes are never equal, since the scheme is part of them. */
function areEqual(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}
