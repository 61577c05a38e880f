import type { PageFacts, Representation } from "../model/resources.ts";

/** What two versions of a page are compared by, wherever they were read. */
export type Version = Pick<Representation, "hash"> & Pick<PageFacts, "content" | "markup">;

/** `minor`: readers find the same content, within another shell. */
export type Verdict = "same" | "minor" | "full";

/** The one comparison of continuations, backfill and the history that git knows. */
export function compareVersions(before: Version, after: Version): Verdict {
  // Many builders write the build time into a comment, so such differences are no changes.
  if (before.hash === after.hash || areEqual(before.markup, after.markup)) return "same";
  return areEqual(before.content, after.content) ? "minor" : "full";
}

/** The scheme is part of an identity: identities of different schemes are never equal. */
function areEqual(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}
