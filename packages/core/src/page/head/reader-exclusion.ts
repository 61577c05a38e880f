import { collapsed } from "../text-flow.ts";

export type ReaderExclusion = "noindex" | "redirect" | "fragment" | "feed" | "verification";

interface PageSigns {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Whether `include` names the file. */
  readonly isIncluded: boolean;
  /** Whether the builder or an earlier publication says that it is a page, not a part of pages. */
  readonly isPage: boolean | undefined;
  /** Whether a page links to it. */
  readonly isLinked: boolean;
}

/** A file without the elements of a page is one if readers can come to it; an empty one is not. */
export function exclusionOf(
  excluded: ReaderExclusion | undefined,
  { file, bytes, isIncluded, isPage, isLinked }: PageSigns,
): ReaderExclusion | undefined {
  if (isIncluded) return undefined;
  if (excluded !== "fragment") return excluded;
  const isReached = isPage || ((isLinked || INDEX.test(file)) && bytes.some(isVisible));
  return isReached ? undefined : excluded;
}

const INDEX = /(?:^|\/)index\.[sx]?html?$/i;

function isVisible(byte: number): boolean {
  return byte > 0x20;
}

export function exclusionBy(
  attribs: Readonly<Record<string, string>>,
): ReaderExclusion | undefined {
  const words = robotsWords(attribs);
  if (words !== undefined) return forbidsListing(words) ? "noindex" : undefined;
  return refreshTarget(attribs) === undefined ? undefined : "redirect";
}

/** What a robots `meta` says; `undefined` for other elements. */
function robotsWords({ name, content = "" }: Readonly<Record<string, string>>): string | undefined {
  return name?.trim().toLowerCase() === "robots" ? content : undefined;
}

/** @param words of a robots `meta` or an `X-Robots-Tag` */
export function forbidsListing(words: string): boolean {
  const each = collapsed(words).toLowerCase().split(/[, ]+/);
  return each.some((word) => word === "noindex" || word === "none");
}

/** Nothing of the page may be shown elsewhere. */
export function forbidsSnippets(attribs: Readonly<Record<string, string>>): boolean {
  // Searching for space before each colon would take quadratic time.
  const words = collapsed(robotsWords(attribs) ?? "")
    .toLowerCase()
    .replace(/ ?: ?/g, ":")
    .split(/[, ]+/);
  return words.some((word) => word === "nosnippet" || word === "max-snippet:0");
}

/** A refresh within this many seconds is a redirect. */
const REDIRECT_SECONDS = 10;

const REFRESH = /^ ?(\d+)(?:\.[\d.]*)? ?[;, ] ?(?:url ?= ?)?["']?(.*)/i;

/** The target of a `meta` (HTML standard, "Refresh state"). Without a URL it reloads its own page. */
export function refreshTarget(attribs: Readonly<Record<string, string>>): string | undefined {
  if (attribs["http-equiv"]?.trim().toLowerCase() !== "refresh") return undefined;
  const [, seconds, url] = REFRESH.exec(collapsed(attribs.content ?? "")) ?? [];
  const target = url?.replace(/["'].*/, "").trim() ?? "";
  const leadsElsewhere =
    Number(seconds) <= REDIRECT_SECONDS && target !== "" && !target.startsWith("#");
  return leadsElsewhere ? target : undefined;
}
