import { expect } from "vitest";
import { logOf } from "../../../core/test/support/site.ts";
import { type AstroSite, SITE } from "./site.ts";

const [BEGINNING, EDIT] = [1_700_000_000, 1_700_000_100];
/** When they were committed. */
const [BEGUN, EDITED] = ["2023-11-14T22:13:20Z", "2023-11-14T22:15:00Z"];

/** A file that is edited once, and what it holds. */
export interface Story {
  readonly file: string;
  readonly contents: (text: string) => string;
}

/** Commits both states of some stories, builds, and gives the log. */
export async function historyOf(site: AstroSite, ...stories: readonly Story[]): Promise<string[]> {
  for (const { file, contents } of stories) site.write(file, contents("One"));
  site.repository.commit(BEGINNING);
  for (const { file, contents } of stories) site.write(file, contents("Two"));
  site.repository.commit(EDIT);
  const { code, output } = await site.build();
  expect(code, output).toBe(0);
  return logOf(site.path("dist"), SITE);
}

/** What the log says of pages that are made from the files of stories. */
export function storyOf(...paths: readonly string[]): string[] {
  const sorted = paths.toSorted();
  return [
    ...sorted.map((path) => `${BEGUN} created ${path}`),
    ...sorted.map((path) => `${EDITED} updated ${path}`),
  ];
}
