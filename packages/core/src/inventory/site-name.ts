import { Parser } from "htmlparser2";
import { decode } from "./charset.ts";
import { collapsed } from "./for-readers.ts";

/** Where a page states its site's name, the better one first. */
const STATEMENTS = ["og:site_name", "application-name"];

/** The name of its site that a page states for programs (Open Graph, HTML's `application-name`). */
export function statedSiteName(bytes: Uint8Array): string | undefined {
  const names = new Map<string, string>();
  new Parser({
    onopentag(element, { name, property, content = "" }) {
      const statement = (property ?? name ?? "").trim().toLowerCase();
      const text = collapsed(content);
      if (element !== "meta" || text === "" || names.has(statement)) return;
      names.set(statement, text);
    },
  }).end(decode(bytes));
  return STATEMENTS.map((statement) => names.get(statement)).find((name) => name !== undefined);
}
