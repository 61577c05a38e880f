import { languageTag } from "@rs-emit/feeds";
import type { SiteStatement } from "../model/site-title.ts";
import { PageParser } from "./page-parser.ts";
import { mayNameSite } from "./quick-tests.ts";
import { collapsed } from "./text-flow.ts";

/** The site's name; the better source is first. */
const NAMES = ["og:site_name", "application-name"];

export async function readStatement(bytes: Uint8Array): Promise<SiteStatement> {
  const names = new Map<string, string>();
  let language: string | undefined;
  let depth = 0;
  new PageParser({
    get depth() {
      return depth;
    },
    onopentag(element, attributes) {
      depth += 1;
      const { name, property, content = "", lang } = attributes;
      if (element === "html") language ??= collapsed(lang ?? attributes["xml:lang"] ?? "");
      const statement = (property ?? name ?? "").trim().toLowerCase();
      const text = collapsed(content);
      if (element !== "meta" || text === "" || names.has(statement)) return;
      names.set(statement, text);
    },
    onclosetag() {
      depth -= 1;
    },
  }).end(await decodedPage(bytes));
  const name = NAMES.map((statement) => names.get(statement)).find((one) => one !== undefined);
  return { name, language: languageTag(language) };
}

/** A language is ASCII. Charsets are loaded only for a name and for UTF-16: most runs need none. */
async function decodedPage(bytes: Uint8Array): Promise<string> {
  if (!mayNameSite(bytes) && !bytes.includes(0)) return Buffer.from(bytes).toString("latin1");
  return (await import("./charset.ts")).decode(bytes);
}
