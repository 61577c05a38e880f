import { expect } from "vitest";
import { logOf } from "../../../core/test/support/site.ts";
import { type AstroSite, SITE } from "./site.ts";

const TIMES = [1_700_000_000, 1_700_000_100, 1_700_000_200];
/** When they were committed. */
export const [BEGUN, EDITED, REMOVED] = [
  "2023-11-14T22:13:20Z",
  "2023-11-14T22:15:00Z",
  "2023-11-14T22:16:40Z",
];

/** A file that lasts and is edited, one that is deleted, and what stands in them. */
export interface Story {
  readonly lasting: string;
  readonly passing: string;
  readonly contents: (text: string) => string;
}

/** Commits the three states of some stories, builds, and gives the log. */
export async function historyOf(site: AstroSite, ...stories: readonly Story[]): Promise<string[]> {
  const [begun = 0, edited = 0, removed = 0] = TIMES;
  for (const { lasting, passing, contents } of stories) {
    site.write(lasting, contents("One")).write(passing, contents("One"));
  }
  site.repository.commit(begun);
  for (const { lasting, contents } of stories) site.write(lasting, contents("Two"));
  site.repository.commit(edited);
  for (const { passing } of stories) site.repository.remove(site.path(passing));
  site.repository.commit(removed);
  const { code, output } = await site.build();
  expect(code, output).toBe(0);
  return logOf(site.path("dist"), SITE);
}

/** What the log says of a page that lasts and of one that does not. */
export function storyOf(lasting: string, passing: string): string[] {
  const created = [lasting, passing].sort().map((path) => `${BEGUN} created ${path}`);
  return [...created, `${EDITED} updated ${lasting}`, `${REMOVED} deleted ${passing}`];
}
