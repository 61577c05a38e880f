import { Parser } from "htmlparser2";
import { resolveUrl } from "../read/place.ts";
import type { PeekedDocument } from "./search.ts";

const RELATION = "resourcesync";

/** A page's `resourcesync` links (ResourceSync 1.1, section 6.3.3), its header's first. */
export function linksOf(page: PeekedDocument): string[] {
  const inHeader = parseLinkHeader(page.link ?? "")
    .filter(({ relations }) => relations.includes(RELATION))
    .map(({ target }) => resolveUrl(target, page.base));
  const urls = [...inHeader, ...linksInHtml(page.text, page.base)];
  return [...new Set(urls.filter((url) => url !== undefined))];
}

function linksInHtml(html: string, address: string): (string | undefined)[] {
  const targets: string[] = [];
  let base: string | undefined;
  const parser = new Parser({
    onopentag(name, { rel = "", href }) {
      if (href === undefined) return;
      if (name === "base") base ??= href;
      else if (name === "link" && isOurs(rel)) targets.push(href);
    },
  });
  parser.end(html);
  const from = base === undefined ? address : (resolveUrl(base, address) ?? address);
  return targets.map((target) => resolveUrl(target, from));
}

function isOurs(rel: string): boolean {
  return rel.toLowerCase().split(/\s+/).includes(RELATION);
}

/** RFC 8288, section 3. */
interface HeaderLink {
  readonly target: string;
  readonly relations: readonly string[];
}

const LINK = /<([^>]*)>((?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const PARAMETER = /;\s*([^\s;,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

/** Skips links of another context (`anchor`). */
export function parseLinkHeader(header: string): HeaderLink[] {
  return [...header.matchAll(LINK)].flatMap(([, target = "", parameters = ""]) => {
    const values = new Map<string, string>();
    for (const [, name = "", quoted, plain = ""] of parameters.matchAll(PARAMETER)) {
      const key = name.toLowerCase();
      // Section 3.3: the first one counts.
      if (!values.has(key)) values.set(key, quoted?.replace(/\\(.)/g, "$1") ?? plain);
    }
    if (values.has("anchor")) return [];
    const relations = (values.get("rel") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    return [{ target: target.trim(), relations }];
  });
}

/** Sitemap lines of a robots.txt, in any group, as written there. */
export function sitemapsIn(robots: string): string[] {
  const lines = robots.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*(\S+)/gim);
  return [...lines].map(([, target = ""]) => target);
}
