import { forbidsListing } from "../page/head/reader-exclusion.ts";

interface HeaderRule {
  readonly isFor: (url: URL) => boolean;
  /** Whether the rule forbids listing or allows it again; `undefined` if it does neither. */
  isHidden: boolean | undefined;
}

const WILDCARDS = /\*|:[A-Za-z]\w*|[.+?^${}()|[\]\\]/g;

const NOT_IN_URLS = /[^!-~]+/g;

/** The words apply to all robots, or to the robot whose console reports pages that it may not list. */
const AGENT = /^\s*(?:(?!max-|unavailable_after)([\w-]+)\s*:)?\s*(.*)$/is;

/**
 * By `X-Robots-Tag`. Netlify and Cloudflare Pages read `_headers` so: a path or a whole URL, with `*` and
 * `:placeholders`, then its headers.
 */
export function hiddenByHeaders(text: string): (url: string) => boolean {
  const rules = rulesIn(text).filter(({ isHidden }) => isHidden !== undefined);
  if (rules.length === 0) return () => false;
  return (url) => {
    const parsed = new URL(url);
    return rules.findLast(({ isFor }) => isFor(parsed))?.isHidden === true;
  };
}

function rulesIn(text: string): readonly HeaderRule[] {
  const rules: HeaderRule[] = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (/^(?:\/|https?:)/.test(line)) rules.push({ isFor: matching(line), isHidden: undefined });
    const header = /^(!?)\s*x-robots-tag\s*(?::(.*))?$/i.exec(line);
    const rule = rules.at(-1);
    if (header === null || rule === undefined) continue;
    if (header[1] === "!") rule.isHidden ??= false;
    else if (hides(header[2] ?? "")) rule.isHidden = true;
  }
  return rules;
}

function matching(pattern: string): HeaderRule["isFor"] {
  const encoded = pattern.replace(NOT_IN_URLS, encodeURIComponent);
  const source = encoded.replace(WILDCARDS, (found) =>
    found === "*" ? ".*" : found.startsWith(":") ? "[^/]+" : `\\${found}`,
  );
  const test = new RegExp(`^${source}$`, "s");
  if (pattern.startsWith("/")) return ({ pathname }) => test.test(pathname);
  return ({ protocol, host, pathname }) => test.test(`${protocol}//${host}${pathname}`);
}

function hides(value: string): boolean {
  const [, agent = "googlebot", words = ""] = AGENT.exec(value) ?? [];
  return agent.toLowerCase() === "googlebot" && forbidsListing(words);
}
