import { webLink } from "@rs-emit/feeds";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { NotOpmlError, SiteListLimitError } from "./errors.ts";
import { checkLength, SITE_LIST_LIMITS } from "./site-list-limits.ts";

interface Options {
  readonly position: false;
  readonly xmlns?: false;
}

/**
 * The addresses in an OPML file, each once, in its order. A feed reader's list tells of each feed where
 * it stands (`xmlUrl`) and what it is about (`htmlUrl`): the site is what a change log is looked for
 * at, so the latter counts where both are there. Folders and outlines without either are passed over.
 *
 * @throws {NotOpmlError} where it is something else, or has a DOCTYPE
 * @throws {SiteListLimitError} where it passes a limit
 */
export function readOpml(text: string): string[] {
  checkLength(text);
  const sites = new Set<string>();
  const parser = new SaxesParser<Options>({ position: false });
  let depth = 0;
  parser.on("doctype", () => parser.fail("a DOCTYPE is not accepted"));
  parser.on("opentag", (tag) => {
    depth += 1;
    if (depth > SITE_LIST_LIMITS.depth) throw exceeded("depth");
    if (depth === 1 && tag.name !== "opml") parser.fail(`its root is ${tag.name.slice(0, 60)}`);
    const address = tag.name === "outline" ? addressOf(tag) : undefined;
    if (address !== undefined) sites.add(address);
    if (sites.size > SITE_LIST_LIMITS.sites) throw exceeded("sites");
  });
  parser.on("closetag", () => {
    depth -= 1;
  });
  parser.on("error", ({ message }) => {
    const problem = message.replace(/\.$/, "");
    throw new NotOpmlError(`line ${parser.line}, column ${Math.max(1, parser.column)}: ${problem}`);
  });
  // Blanks before the declaration are a common slip.
  parser.write(text.replace(/^\ufeff/, "").trimStart()).close();
  return [...sites];
}

/** Some exporters write `htmlurl`. */
function addressOf({ attributes }: SaxesTagPlain): string | undefined {
  const byName = new Map<string, string>();
  for (const [name, value] of Object.entries(attributes)) byName.set(name.toLowerCase(), value);
  return webLink(byName.get("htmlurl")) ?? webLink(byName.get("xmlurl"));
}

function exceeded(limit: "depth" | "sites"): SiteListLimitError {
  return new SiteListLimitError(limit, SITE_LIST_LIMITS[limit]);
}
