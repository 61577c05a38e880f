/** A link of a header `Link` (RFC 8288, section 3). */
export interface HeaderLink {
  /** As it stands: it may be relative. */
  readonly target: string;
  /** Relation types, in lower case. */
  readonly relations: readonly string[];
}

const LINK = /<([^>]*)>((?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const PARAMETER = /;\s*([^\s;,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

/** The links of a header `Link`. Those of another context (`anchor`) are left out. */
export function parseLinkHeader(header: string): HeaderLink[] {
  return [...header.matchAll(LINK)].flatMap(([, target = "", parameters = ""]) => {
    const values = new Map<string, string>();
    for (const [, name = "", quoted, plain = ""] of parameters.matchAll(PARAMETER)) {
      const key = name.toLowerCase();
      // Section 3.3: of several the first counts.
      if (!values.has(key)) values.set(key, quoted?.replace(/\\(.)/g, "$1") ?? plain);
    }
    if (values.has("anchor")) return [];
    const relations = (values.get("rel") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    return [{ target: target.trim(), relations }];
  });
}
