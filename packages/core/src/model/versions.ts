import { ON_DEMAND, type Representation } from "./resources.ts";

export type Version = Pick<Representation, "hash" | "content" | "markup">;

/** `minor`: the content is the same, the markup differs. */
export type Sameness = "same" | "minor" | "full";

/** The only comparison: for continuations, backfill and versions in git. */
export function compareVersions(before: Version, after: Version): Sameness {
  // Many builders write the build time into a comment, so such differences are no changes.
  if (before.hash === after.hash || areEqual(before.markup, after.markup)) return "same";
  return areEqual(before.content, after.content) ? "minor" : "full";
}

/** An option can move a page between a file and a server's answer; its content did not change. */
export function isMadeElsewhere(before: Version, after: Version): boolean {
  return (before.content === ON_DEMAND) !== (after.content === ON_DEMAND);
}

/** The scheme is part of an identity, so different schemes are never equal. */
function areEqual(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}
