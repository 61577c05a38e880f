import { languageTag } from "@rs-emit/feeds";
import type { SiteStatement } from "../model/site-title.ts";
import { decode } from "./charset.ts";
import { collapsed } from "./for-readers.ts";

/** Where a page states its site's name, the better one first. */
const NAMES = ["og:site_name", "application-name"];

/**
 * What home pages state of their sites: a name for programs (Open Graph, HTML) and a language. The
 * parser is loaded only for a run that writes.
 * @param homePages their beginnings, by collection URL
 */
export async function readStatements(
  homePages: ReadonlyMap<string, Uint8Array>,
): Promise<ReadonlyMap<string, SiteStatement>> {
  if (homePages.size === 0) return new Map();
  const { Parser } = await import("htmlparser2");
  return new Map([...homePages].map(([url, bytes]) => [url, statedIn(bytes, Parser)]));
}

function statedIn(bytes: Uint8Array, Parser: typeof import("htmlparser2").Parser): SiteStatement {
  const names = new Map<string, string>();
  let language: string | undefined;
  new Parser({
    onopentag(element, attributes) {
      const { name, property, content = "", lang } = attributes;
      if (element === "html") language ??= collapsed(lang ?? attributes["xml:lang"] ?? "");
      const statement = (property ?? name ?? "").trim().toLowerCase();
      const text = collapsed(content);
      if (element !== "meta" || text === "" || names.has(statement)) return;
      names.set(statement, text);
    },
  }).end(decode(bytes));
  const name = NAMES.map((statement) => names.get(statement)).find((one) => one !== undefined);
  return { name, language: languageTag(language) };
}
