import type { ChangeKind } from "@rs-emit/documents";
import type { CommitEvents, PageEvent } from "../history/events.ts";
import { groupBy } from "../model/group.ts";
import type { Change } from "../model/types.ts";

interface PageState {
  /** The last event of each file of the page that stands; more than one while a URL has two spellings. */
  readonly standing: Map<string, PageEvent>;
  /** Datetime of the page's last change. */
  last: number;
}

/**
 * Turns what happened to files into the changes of their pages, in order (design: Time).
 *
 * @param commits oldest first
 * @param now UTC seconds: times from the future count as now
 */
export function tellChanges(commits: Iterable<CommitEvents>, now: number): Change[] {
  const pages = new Map<string, PageState>();
  const changes: Change[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const events of commits) {
    for (const [url, ofPage] of groupByUrl(events)) {
      const page = pages.get(url) ?? { standing: new Map(), last: Number.NEGATIVE_INFINITY };
      pages.set(url, page);
      const told = applyEvents(page, ofPage);
      const [first] = ofPage;
      if (told === undefined || first === undefined) continue;
      latest = Math.max(latest, Math.min(first.time, now));
      page.last = Math.max(latest, page.last + 1);
      changes.push({
        url,
        kind: told.kind,
        datetime: page.last,
        lastmod: Math.min(first.time, now),
        ...(told.minor ? { minor: true } : {}),
        ...(first.message === undefined ? {} : { message: first.message }),
      });
    }
  }
  return changes.sort(inLogOrder);
}

/** The order of a log: by datetime, then lastmod, then URL. */
export function inLogOrder(one: Change, other: Change): number {
  return (
    one.datetime - other.datetime ||
    one.lastmod - other.lastmod ||
    (one.url < other.url ? -1 : Number(one.url > other.url))
  );
}

function groupByUrl(events: CommitEvents): Iterable<[string, PageEvent[]]> {
  const [only] = events;
  if (events.length === 1 && only !== undefined) return [[only.url, [only]]];
  return groupBy(events, ({ url }) => url);
}

function applyEvents(
  { standing }: PageState,
  events: readonly PageEvent[],
): { readonly kind: ChangeKind; readonly minor: boolean } | undefined {
  const before = visible(standing);
  const stood = standing.size > 0;
  for (const event of events) {
    if (event.kind === "removed") standing.delete(event.source);
    else standing.set(event.source, event);
  }
  const after = visible(standing);
  if (before === after) return undefined;
  // A page whose file stood before, or still stands, entered or left because it was hidden.
  if (before === undefined) return { kind: "created", minor: stood };
  if (after === undefined) return { kind: "deleted", minor: standing.size > 0 };
  return { kind: "updated", minor: false };
}

/** What a reader could see: the contents; nothing when the page is hidden or gone. */
function visible(standing: PageState["standing"]): string | undefined {
  if (standing.size === 0) return undefined;
  let blobs = "";
  for (const { blob, hidden } of standing.values()) {
    if (hidden) return undefined;
    blobs += `${blob} `;
  }
  return blobs;
}
