/** Statements that only name what other files hold. */
const IMPORTS = /^[ \t]*import(?=[\s{*"'])[^;]*?["'][^"'\n]*["'];?/gm;

/** The text of a route's script, in the part that chooses its pages and in the rest. */
export interface RouteScript {
  /** `getStaticPaths`; empty where it stands elsewhere. */
  readonly choosing: string;
  /** Without imports. */
  readonly rest: string;
}

/** Finds in a script what chooses the pages of its route. */
export function routeScript(script: string): RouteScript {
  const text = script.replace(IMPORTS, "");
  const start = text.search(/\b(?:function|const|let)\s+getStaticPaths\b/);
  if (start === -1) return { choosing: "", rest: text };
  const end = endOfDeclaration(text, start);
  return { choosing: text.slice(start, end), rest: text.slice(0, start) + text.slice(end) };
}

/** Where a declaration ends: outside brackets, at a semicolon or before a line of something else. */
function endOfDeclaration(text: string, start: number): number {
  let depth = 0;
  let hasBrackets = false;
  for (let position = start; position < text.length; position += 1) {
    const sign = text.charAt(position);
    if ("([{".includes(sign)) depth += 1;
    if (")]}".includes(sign)) depth -= 1;
    hasBrackets ||= depth > 0;
    if (!hasBrackets || depth > 0) continue;
    if (sign === ";" || /^\n[\w/]/.test(text.slice(position, position + 2))) return position;
  }
  return text.length;
}
