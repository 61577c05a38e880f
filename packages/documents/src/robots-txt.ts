/** What a site's robots.txt allows, by RFC 9309. */
export class RobotsTxt {
  readonly #groups: readonly Group[];

  constructor(text: string) {
    this.#groups = groupsIn(text);
  }

  /**
   * Whether a program may ask for a URL of the site. Where no group names the program, those of `*` count.
   * @param product the program's product token, such as `rs-harvest`
   */
  allows(product: string, url: string): boolean {
    const { pathname, search } = new URL(url);
    if (pathname === "/robots.txt") return true;
    const path = comparable(pathname + search);
    let most = -1;
    let isAllowed = true;
    for (const { pattern, allow } of this.#rulesFor(product.toLowerCase())) {
      const { length } = pattern;
      if (length < most || (length === most && !allow) || !matches(pattern, path)) continue;
      most = length;
      isAllowed = allow;
    }
    return isAllowed;
  }

  /** The rules of all groups that name it count together (section 2.2.1). */
  #rulesFor(product: string): readonly Rule[] {
    const named = this.#groups.filter(({ agents }) => agents.has(product));
    const groups = named.length > 0 ? named : this.#groups.filter(({ agents }) => agents.has("*"));
    return groups.flatMap(({ rules }) => rules);
  }
}

interface Group {
  /** Product tokens in lower case, and `*`. */
  readonly agents: Set<string>;
  readonly rules: Rule[];
}

interface Rule {
  readonly pattern: string;
  readonly allow: boolean;
}

/** Other lines, such as `Sitemap`, neither begin nor end a group (section 2.2.4). */
function groupsIn(text: string): readonly Group[] {
  const groups: Group[] = [];
  let group: Group | undefined;
  for (const line of text.replace(/^\ufeff/, "").split(/\r\n?|\n/)) {
    const [name = "", ...values] = (line.split("#", 1)[0] ?? "").split(":");
    const key = name.trim().toLowerCase();
    const value = values.join(":").trim();
    if (key === "user-agent") {
      if (group === undefined || group.rules.length > 0) {
        group = { agents: new Set(), rules: [] };
        groups.push(group);
      }
      group.agents.add(productIn(value));
    } else if (key === "allow" || key === "disallow") {
      group?.rules.push({ pattern: comparable(value), allow: key === "allow" });
    }
  }
  return groups;
}

/** Many write a version behind it: `rs-harvest/0.1`. */
function productIn(value: string): string {
  return /^(?:\*|[a-z_-]*)/i.exec(value)?.[0].toLowerCase() ?? "";
}

/**
 * A path or a pattern as both are compared (section 2.2.2): unreserved characters as they are, all that is not
 * ASCII percent-encoded, digits of the encoding as capitals.
 */
function comparable(path: string): string {
  return path
    .replaceAll(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(Buffer.from(text).toString()))
    .replaceAll(/%([\da-f]{2})/gi, (encoded, hex) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
    });
}

/** An empty pattern matches nothing. Time is linear in the path for each part between two `*`. */
function matches(pattern: string, path: string): boolean {
  if (!/^[/*]/.test(pattern)) return false;
  const isToEnd = pattern.endsWith("$");
  const [first = "", ...parts] = (isToEnd ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isToEnd ? parts.pop() : undefined;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!isToEnd) return true;
  if (last === undefined) return path.length === at;
  return path.length - last.length >= at && path.endsWith(last);
}
