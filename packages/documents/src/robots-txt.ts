/** The name of the group for all programs that no other group names. */
const EVERYBODY = "*";

/**
 * The rules for one program (RFC 9309, section 2.2): of all groups that name it, else of all groups for
 * everybody. A line has `-` (forbids) or `+` (allows) and a normalized pattern.
 * @param product the program's product token, such as `rs-harvest`
 */
export function robotsRules(robots: string, product: string): string {
  const wanted = product.toLowerCase();
  const groups = new Map<string, string[]>();
  let names: string[] = [];
  let isAmongNames = false;
  for (const line of robots.split(/\r\n|\r|\n/)) {
    const [, key = "", value = ""] = RECORD.exec(line) ?? [];
    const kind = key.trim().toLowerCase();
    if (kind === "user-agent") {
      if (!isAmongNames) names = [];
      isAmongNames = true;
      const name = nameIn(value);
      if (name === wanted || name === EVERYBODY) names.push(name);
      for (const one of names) groups.set(one, groups.get(one) ?? []);
    }
    const sign = SIGNS.get(kind);
    // Section 2.2.4: other records end no group.
    if (sign === undefined) continue;
    isAmongNames = false;
    const pattern = value.trim();
    if (pattern === "") continue;
    for (const name of new Set(names)) groups.get(name)?.push(sign + normalPattern(pattern));
  }
  return (groups.get(wanted) ?? groups.get(EVERYBODY) ?? []).join("\n");
}

const RECORD = /^([^:#]*):([^#]*)/;
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["disallow", "-"],
  ["allow", "+"],
]);

/** A product token has letters, `-` and `_`; a version after it is ignored. */
function nameIn(value: string): string | undefined {
  return /^\s*(\*(?!\S)|[a-z_-]+)/i.exec(value)?.[1]?.toLowerCase();
}

/** The sitemaps in any group, as written (sitemaps.org, "Specifying the Sitemap location"). */
export function robotsSitemaps(robots: string): string[] {
  const lines = robots.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*([^\s#]+)/gim);
  return [...lines].map(([, target = ""]) => target);
}

/** Matching a wildcard costs the rule's length times the address's; this limits the sum. */
const WILDCARD_COST = 30_000_000;

/**
 * RFC 9309, section 2.2.2: the longest match decides; of two equally long, the one that allows.
 * @param rules from {@link robotsRules}; other lines between them are no rules
 */
export function robotsAllow(rules: string, url: string): boolean {
  const { pathname, search } = new URL(url);
  if (!rules.includes("-") || pathname === "/robots.txt") return true;
  const path = normalPath(pathname + search).replaceAll("*", "%2A");
  let room = WILDCARD_COST;
  let longest = 0;
  let isAllowed = true;
  for (const rule of rules.split("\n")) {
    if (!/^[+-]/.test(rule)) continue;
    const pattern = rule.slice(1);
    const isAllowing = rule.startsWith("+");
    if (pattern.length < longest || (pattern.length === longest && !isAllowing)) continue;
    if (pattern.includes("*")) {
      const cost = pattern.length * path.length;
      if (cost > room) continue;
      room -= cost;
    }
    if (!matches(pattern, path)) continue;
    longest = pattern.length;
    isAllowed = isAllowing;
  }
  return isAllowed;
}

/** Section 2.2.3: `*` matches any octets, and `$` at the end matches the end. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [start = "", ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(start)) return false;
  const end = isWhole ? parts.pop() : undefined;
  if (isWhole && end === undefined) return path === start;
  let at = start.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return end === undefined || (path.endsWith(end) && path.length - end.length >= at);
}

function normalPattern(pattern: string): string {
  return pattern.endsWith("$") ? `${normalPath(pattern.slice(0, -1))}$` : normalPath(pattern);
}

/**
 * Octets outside ASCII and reserved ones are percent-encoded, except delimiters of path and query; unreserved
 * ones are not (section 2.2.2). `*` stays.
 */
function normalPath(path: string): string {
  const query = path.indexOf("?");
  if (query < 0) return normal(path, PARTS_OF_PATH);
  return `${normal(path.slice(0, query), PARTS_OF_PATH)}?${normal(path.slice(query + 1), PARTS_OF_QUERY)}`;
}

const PARTS_OF_PATH = /%[\dA-Fa-f]{2}|[^/\w.~*-]/gu;
const PARTS_OF_QUERY = /%[\dA-Fa-f]{2}|[^=&\w.~*-]/gu;
const UNRESERVED = /[\w.~-]/;

function normal(text: string, coded: RegExp): string {
  return text.replace(coded, (one) => {
    if (one.length < 3 || !one.startsWith("%")) return percentEncoded(one);
    const octet = String.fromCharCode(Number.parseInt(one.slice(1), 16));
    return UNRESERVED.test(octet) ? octet : one.toUpperCase();
  });
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)]
    .map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}
