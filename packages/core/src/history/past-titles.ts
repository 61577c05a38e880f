import { withLastGood } from "../model/last-good.ts";
import { titleBeside } from "../page/first-heading.ts";
import type { CommitEvents, PageEvent } from "./page-history.ts";

function* readable(commits: Iterable<CommitEvents>): Generator<CommitEvents> {
  const last = new Map<string, PageEvent>();
  for (const events of commits) {
    yield events.map((event) => {
      const page = withLastGood(event, last.get(event.url));
      last.set(page.url, page);
      return page;
    });
  }
}

/** A page with the same title as its home page at that time is called by its heading. */
export function* withPastTitles(
  commits: Iterable<CommitEvents>,
  collectionOf: (url: string) => string | undefined,
): Generator<CommitEvents> {
  const homes = new Map<string | undefined, string | undefined>();
  for (const events of readable(commits)) {
    for (const { url, kind, title } of events) {
      if (url === collectionOf(url) && kind !== "removed") homes.set(url, title);
    }
    yield events.map((event) => {
      const { url, title, heading } = event;
      const home = collectionOf(url);
      if (url === home || heading === undefined) return event;
      return { ...event, title: titleBeside(homes.get(home), title, heading) };
    });
  }
}
