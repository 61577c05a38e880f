import { resolveUrl } from "./address.ts";
import { readHtml } from "./read/html.ts";

/** Bytes of a page that are read for its links. */
export const BEGINNING = 512_000;

/** A page's beginning, with its address after redirects and its header `Link`. */
interface LinkingPage {
  readonly base: string;
  readonly link?: string | undefined;
  readonly text: string;
}

/** A page's links of one relation, absolute: those of its header (RFC 8288) come first. */
export function linksOf({ link = "", text, base }: LinkingPage, relation: string): string[] {
  const inHeader = parseLinkHeader(link)
    .filter(({ relations }) => relations.includes(relation))
    .map(({ target }) => resolveUrl(target, base));
  const urls = [...inHeader, ...linksInHead(text, base, relation)];
  return [...new Set(urls.filter((url) => url !== undefined))];
}

/** In page order. */
export function linksInHead(
  html: string,
  address: string,
  relation: string,
  isWanted: (type: string) => boolean = () => true,
): (string | undefined)[] {
  const targets: string[] = [];
  let base: string | undefined;
  readHtml(html, {
    onopentag(name, { rel = "", type = "", href }) {
      if (href === undefined) return;
      const isOurs = rel.toLowerCase().split(/\s+/).includes(relation) && isWanted(type.trim());
      if (name === "base") base ??= href;
      else if (name === "link" && isOurs) targets.push(href);
    },
    isEnough: (name, isEnd) => name === (isEnd ? "head" : "body"),
  });
  const from = base === undefined ? address : (resolveUrl(base, address) ?? address);
  return targets.map((target) => resolveUrl(target, from));
}

/** RFC 8288, section 3. */
interface HeaderLink {
  readonly target: string;
  readonly relations: readonly string[];
}

const LINK = /<([^<>]*)>((?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;

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
