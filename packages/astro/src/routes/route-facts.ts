import { type Facts, frontMatter } from "@rs-emit/core/adapter";
import { HIDING, SHOWING } from "../content/entry-facts.ts";
import { isNoIndex } from "../content/visibility.ts";
import { parametersOf } from "./pattern.ts";
import { routeScript } from "./static-paths.ts";

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
  /** The parameters that it fills with the id of an entry, and nothing else. */
  readonly identifiers: readonly string[];
  /** What it leaves entries out for where it chooses them: `draft`, say. */
  readonly flags: readonly string[];
  /** What else of that kind it mentions, to whatever end. */
  readonly mentions: readonly string[];
  /** It divides a list into pages. */
  readonly paginates: boolean;
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
const HIDDEN =
  /<meta\b[^>]*\bnoindex\b|<[A-Z][^>]*\snoindex(?:[\s/>]|="|=\{true\})|^return Astro\.redirect\(/m;
/** Markup that stands only now and then. */
const CONDITIONAL = /\{[^{}]*(?:&&|\|\||\?)[^{}]*\}/g;
const COLLECTION = /\bget(?:Collection|Entry|Entries)\(\s*["'`]([^"'`]+)["'`]/g;
const IDENTIFIER = /\b(\w+)\s*:\s*[\w$.?!]+\.(?:id|slug)\b(?!\s*[.?!]?[.[(])/g;

/** Reads the text of a version of a page's file. */
export function routeFacts(place: RoutePlace, bytes: Uint8Array): RouteFacts {
  const text = new TextDecoder().decode(bytes);
  // What stands in the markup shows something of an entry; it does not leave it out.
  const { choosing, rest } = routeScript(SCRIPT.exec(text)?.[1] ?? text);
  const chosen = wordsIn(choosing, COLLECTION);
  const parameters = parametersOf(place.pattern);
  const prerender = PRERENDER.exec(text)?.[1];
  return {
    kind: "route",
    ...place,
    ...(prerender === undefined ? {} : { prerender: prerender === "true" }),
    isHidden: HIDDEN.test(text.replace(CONDITIONAL, "")) || isNoIndex(frontMatterOf(place, bytes)),
    collections: chosen.length > 0 ? chosen : wordsIn(rest, COLLECTION),
    identifiers: wordsIn(choosing, IDENTIFIER).filter((name) => parameters.includes(name)),
    flags: flagsIn(choosing),
    mentions: flagsIn(rest),
    paginates: /\bpaginate\(/.test(choosing),
  };
}

/** Whether the text of a route says that it makes a page of each entry of a collection. */
export function drawsEntries({ collections, identifiers, paginates }: RouteFacts): boolean {
  return identifiers.length > 0 && collections.length > 0 && !paginates;
}

/** What stands before the text of a page in Markdown. */
function frontMatterOf({ file }: RoutePlace, bytes: Uint8Array): Facts {
  return /\.(?:astro|html)$/.test(file) ? {} : (frontMatter(bytes) ?? {});
}

/** Also as a part of a name, such as `withoutDrafts`. */
function flagsIn(text: string): string[] {
  return [...HIDING, ...SHOWING].filter((name) => text.toLowerCase().includes(name));
}

function wordsIn(text: string, expression: RegExp): string[] {
  return [...new Set([...text.matchAll(expression)].map(([, word = ""]) => word))];
}
