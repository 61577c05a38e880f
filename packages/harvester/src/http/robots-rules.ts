import { createRequire } from "node:module";
import { PRODUCT } from "./user-agent.ts";

/**
 * Whether a robots.txt lets `rs-harvest` ask an address of its origin (RFC 9309, section 2.2).
 *
 * @param text of the robots.txt, as {@link withoutExcess} leaves it
 */
export function allows(text: string, url: string): boolean {
  const rules = parse(new URL(ROBOTS_TXT, url).href, text);
  return rules.isAllowed(url, PRODUCT) !== false;
}

/** Where it stands, and what is always allowed. */
export const ROBOTS_TXT = "/robots.txt";

/**
 * A robots.txt without more wildcards than any honest site has: to match one costs the product of its
 * length and the address's.
 */
export function withoutExcess(text: string): string {
  let room = WILDCARD_CHARACTERS;
  const isKept = (line: string): boolean => {
    if (!WILDCARD_RULE.test(line)) return true;
    room -= line.length;
    return room >= 0;
  };
  return text
    .split(/\r\n|\r|\n/)
    .filter(isKept)
    .join("\n");
}

const WILDCARD_RULE = /^\s*(?:dis)?allow\s*:.*\*/i;
const WILDCARD_CHARACTERS = 30_000;

type Parse = (
  url: string,
  text: string,
) => { isAllowed(url: string, agent: string): boolean | undefined };

/** Its types tell of a default export, which is not there: it is CommonJS. */
const parse: Parse = createRequire(import.meta.url)("robots-parser");
