import { lineOf } from "@rs-emit/feeds";
import { Parser } from "htmlparser2";
import { peek } from "../discover/search.ts";
import type { Transport } from "../http/answer.ts";
import { FetchError } from "../http/errors.ts";
import { READING_LIMITS } from "../read/limits.ts";
import type { ListedPage } from "./listed-page.ts";

/** Pages whose titles one check requests. Others are shown by their addresses. */
const MOST_TITLES = 20;

/**
 * Requests the titles of some pages, one after another. A page that cannot be read has none.
 *
 * @returns titles by the keys of pages
 */
export async function readTitles(
  transport: Transport,
  pages: readonly Pick<ListedPage, "key" | "url">[],
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  for (const { key, url } of pages.slice(0, MOST_TITLES)) {
    try {
      const answer = await transport.get(url);
      if (answer.status !== "fresh") continue;
      const title = titleIn((await peek(url, answer)).text);
      if (title !== undefined) titles.set(key, title);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
    }
  }
  return titles;
}

/** The title of an HTML page, on one line. */
function titleIn(html: string): string | undefined {
  let text = "";
  let isInside = false;
  let isOver = false;
  const parser = new Parser({
    onopentagname(name) {
      if (name === "title" && !isOver) isInside = true;
      // An SVG image in a page may have its own title.
      if (name === "body") isOver = true;
    },
    ontext(part) {
      if (isInside) text += part;
    },
    onclosetag(name) {
      if (name !== "title" || !isInside) return;
      isInside = false;
      isOver = true;
    },
  });
  parser.end(html);
  return lineOf(text, READING_LIMITS.title) || undefined;
}
