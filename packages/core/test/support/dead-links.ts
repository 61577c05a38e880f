import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";

/** Of all links in feeds and in lists of changes, those that lead to no file of the site: `where: URL`. */
export function deadLinks(folder: string, site: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.flatMap((path) => {
    const links = path.endsWith(".atom")
      ? linksInFeed(readFileSync(join(folder, path), "utf8"))
      : path.endsWith(".html")
        ? linksInLists(readFileSync(join(folder, path), "utf8"))
        : [];
    return links
      .map((link) => new URL(link, site + path))
      .filter((url) => !isServed(folder, site, url))
      .map((url) => `${path}: ${url.href}`);
  });
}

/** As servers of static files find a page. */
function isServed(folder: string, site: string, url: URL): boolean {
  const path = decodeURIComponent(url.origin + url.pathname).slice(site.length);
  const isFile = (file: string) => existsSync(file) && statSync(file).isFile();
  return ["", "index.html", ".html"].some((end) => isFile(join(folder, path + end)));
}

/** What entries say is HTML, written as text. */
function linksInFeed(feed: string): string[] {
  const links = feed.matchAll(/\bhref=(?:"|&quot;)(.*?)(?:"|&quot;)/g);
  return [...links].map(([, link = ""]) => link.replaceAll("&amp;", "&").replaceAll("&amp;", "&"));
}

function linksInLists(html: string): string[] {
  const links: string[] = [];
  const visit = (node: Tree.Node, isInList: boolean): void => {
    const attributes = "attrs" in node ? node.attrs : [];
    const attribute = (name: string) => attributes.find((one) => one.name === name)?.value;
    const isOfList = isInList || attribute("data-rs-emit")?.toLowerCase() === "changes";
    const href = attribute("href");
    if (isOfList && href !== undefined) links.push(href);
    for (const child of "childNodes" in node ? node.childNodes : []) visit(child, isOfList);
  };
  visit(parse(html), false);
  return links;
}
