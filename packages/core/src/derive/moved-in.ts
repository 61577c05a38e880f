import { urlKey } from "@rs-emit/documents";
import type { Change } from "../model/log.ts";
import { representationOf } from "../model/resources.ts";
import type { Origins } from "./changed-times.ts";
import type { Difference } from "./difference.ts";

/** By URL key: what was published elsewhere of pages that come from another collection. */
export function pagesMovedIn(differences: readonly Difference[]): Origins {
  return new Map(
    differences.flatMap(({ kind, url, from }) =>
      kind === "updated" && from !== undefined ? [[urlKey(url), from]] : [],
    ),
  );
}

/**
 * The page moves in unedited, and the edit is a separate update. Their times differ, since followers identify
 * a page's changes by time (ResourceSync 0.9.1, section 10.1).
 */
export function withMoveIn(change: Change, movedIn: Origins): Change[] {
  const from = movedIn.get(urlKey(change.url));
  if (from === undefined || change.kind !== "updated") return [change];
  const datetime = change.datetime - 1;
  const lastmod = Math.min(from.lastmod ?? datetime, datetime);
  const { url } = change;
  const moveIn = { url, kind: "created", datetime, lastmod, minor: true } as const;
  return [{ ...representationOf(from), ...moveIn }, change];
}
