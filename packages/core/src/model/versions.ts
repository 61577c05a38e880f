import type { Representation, Resource } from "./resources.ts";

/** What two versions of a page are compared by, wherever they were read. */
export type Version = Pick<Representation, "hash" | "content" | "markup">;

/** `minor`: readers find the same content, within another shell. */
export type Verdict = "same" | "minor" | "full";

/** The one comparison of continuations, backfill and the history that git knows. */
export function compareVersions(
  before: Version,
  after: Version & Pick<Resource, "formerContents">,
): Verdict {
  // Many builders write the build time into a comment, so such differences are no changes.
  if (before.hash === after.hash || areEqual(before.markup, after.markup)) return "same";
  const { content, formerContents = [] } = after;
  return [content, ...formerContents].some((one) => areEqual(before.content, one))
    ? "minor"
    : "full";
}

/** Identities of different schemes are never equal, since the scheme is part of them. */
function areEqual(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}
