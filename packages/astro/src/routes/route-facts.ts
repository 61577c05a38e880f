import type { Facts } from "@rs-emit/core/adapter";
import { HIDING, SHOWING } from "../content/entry-facts.ts";
import { parametersOf } from "./pattern.ts";

/** What a version of a page's file, or of a dynamic route's, says of the pages it makes. */
export interface RouteFacts extends Facts {
  readonly kind: "route";
  /** An absolute path. */
  readonly file: string;
  readonly pattern: string;
  /** The file is an index, which `build.format` may heed. */
  readonly isIndex: boolean;
  /** Where it says so itself: it is rendered once, or on demand. */
  readonly prerender?: boolean;
  /** It asks search engines to leave it out, or leads elsewhere. */
  readonly isHidden: boolean;
  /** The content collections it asks for by name. */
  readonly collections: readonly string[];
  /** The parameters that it fills with the id of an entry. */
  readonly identifiers: readonly string[];
  /** What it may leave entries out for: `draft`, say. */
  readonly flags: readonly string[];
}

/** What a page's path tells. */
export type RoutePlace = Pick<RouteFacts, "file" | "pattern" | "isIndex">;

/** Whether facts are those of a route. */
export function isRoute(facts: Facts): facts is RouteFacts {
  return facts.kind === "route";
}

const SCRIPT = /^\s*---([\s\S]*?)\n---/;
/** Astro's own rule. */
const PRERENDER = /^\s*export\s+const\s+prerender\s*=\s*(true|false)/m;
/** By a `meta` element, by an attribute that tells the layout so, or at the end of its script. */
const HIDDEN = /<meta\b[^>]*\bnoindex\b|<[A-Z][^>]*\snoindex(?=[\s/>=])|^return Astro\.redirect\(/m;
const COLLECTION = /\bget(?:Collection|Entry|Entries)\(\s*["'`]([^"'`]+)["'`]/g;
const IDENTIFIER = /\b(\w+)\s*:\s*[\w$.?!]+\.(?:id|slug)\b/g;

/** Reads the text of a version of a page's file. */
export function routeFacts(place: RoutePlace, bytes: Uint8Array): RouteFacts {
  const text = new TextDecoder().decode(bytes);
  // What stands in the markup shows something of an entry; it does not leave it out.
  const script = SCRIPT.exec(text)?.[1] ?? text;
  const prerender = PRERENDER.exec(text)?.[1];
  return {
    kind: "route",
    ...place,
    ...(prerender === undefined ? {} : { prerender: prerender === "true" }),
    isHidden: HIDDEN.test(text),
    collections: wordsIn(script, COLLECTION),
    identifiers: wordsIn(script, IDENTIFIER),
    // Also as a part of a name, such as `withoutDrafts`.
    flags: [...HIDING, ...SHOWING].filter((name) => script.toLowerCase().includes(name)),
  };
}

/** Whether the text of a route says that it makes a page of each entry of a collection. */
export function drawsEntries({ pattern, collections, identifiers }: RouteFacts): boolean {
  const isFilled = parametersOf(pattern).some((name) => identifiers.includes(name));
  return isFilled && collections.length > 0;
}

function wordsIn(text: string, expression: RegExp): string[] {
  return [...new Set([...text.matchAll(expression)].map(([, word = ""]) => word))];
}
