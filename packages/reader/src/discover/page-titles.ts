import { lineOf } from "@rs-emit/feeds";
import { FetchError } from "../http/errors.ts";
import type { Transport } from "../http/transport.ts";
import { describeHtml } from "../read/description-formats.ts";
import { READING_LIMITS } from "../read/reading-limits.ts";
import { peek } from "./peek.ts";

/** Pages whose titles one check requests. Others are shown by their addresses. */
const MOST_TITLES = 20;

/**
 * Requests the titles of some pages, one after another. A page that cannot be read has none.
 *
 * @returns titles by the keys of pages
 */
export async function readTitles(
  transport: Transport,
  pages: Iterable<{ readonly key: string; readonly url: string }>,
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  let left = MOST_TITLES;
  for (const { key, url } of pages) {
    if (left === 0) break;
    left -= 1;
    try {
      const answer = await transport.get(url);
      if (answer.status !== "fresh") continue;
      const {
        titles: [title = ""],
      } = describeHtml((await peek(url, answer)).text);
      const line = lineOf(title, READING_LIMITS.title);
      if (line !== "") titles.set(key, line);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
    }
  }
  return titles;
}
