import { titleBeside } from "../inventory/first-heading.ts";
import type { CommitEvents } from "./events.ts";

/**
 * A page with its home page's title at that time is called by its heading.
 * @param commits oldest first
 */
export function* withPastTitles(
  commits: Iterable<CommitEvents>,
  collectionOf: (url: string) => string | undefined,
): Generator<CommitEvents> {
  const homes = new Map<string | undefined, string | undefined>();
  for (const events of commits) {
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
