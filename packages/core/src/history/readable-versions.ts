import { withLastGood } from "../model/last-good.ts";
import type { CommitEvents, PageEvent } from "./page-history.ts";

/** Where text cannot be read, what the version before said. */
export function* readableVersions(commits: Iterable<CommitEvents>): Generator<CommitEvents> {
  const last = new Map<string, PageEvent>();
  for (const events of commits) {
    yield events.map((event) => {
      const page = withLastGood(event, last.get(event.url));
      last.set(page.url, page);
      return page;
    });
  }
}
