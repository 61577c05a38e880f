export type Attributes = Readonly<Record<string, string>>;

export interface ElementKind {
  readonly name: string;
  /** White space next to its tags is not visible. */
  readonly breaksLine: boolean;
  /** White space around it is visible, as around a word. */
  readonly isBox: boolean;
  readonly isPreformatted: boolean;
  /** White space in it matters to readers, scripts, styles or other parsers. */
  readonly isVerbatim: boolean;
  /** Some parsers read its contents as text, so a comment in it may be text. */
  readonly hasRawText: boolean;
  /** Browsers drop a line end after its start tag, except before a comment. */
  readonly dropsLineEnd: boolean;
  /** Never content: code, and what only browsers read. `noscript` holds what lazily loaded pages show. */
  readonly isUnseen: boolean;
  readonly isChrome: boolean;
  /** Without attributes it only adds line breaks, and their number is spacing. */
  readonly isWrapper: boolean;
  /** A title or `meta` in it does not belong to the page. */
  readonly isNotThePage: boolean;
}

const LINES = names(`address article aside blockquote body br caption center col colgroup dd details
  dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 header
  hgroup hr html legend li main menu nav ol optgroup option p pre section summary table tbody td tfoot
  th thead tr ul`);
const BOXES =
  names(`audio button canvas embed iframe img input math meter object progress select svg
  textarea video`);
const INLINE = names("a b code em font i noscript small span strong sub sup time title");
const PREFORMATTED = names("listing plaintext pre textarea xmp");
const READ_BY_PROGRAMS = names("iframe noembed noframes script style");
const RAW = names("iframe noembed noframes noscript plaintext script style textarea title xmp");
const DROPS_LINE_END = names("listing pre");
const CHROME = names("aside footer header nav");
const WRAPPERS = names("article br center div font footer header hgroup main section span");
const NOT_THE_PAGE = names("noscript svg template");

export const HEADINGS = names("h1 h2 h3 h4 h5 h6");
/** HTML standard, "Metadata content". Any other element ends the head. */
export const IN_HEAD = names("base link meta noscript script style template title");
export const UNSEEN = names("base head link meta script style template");

/** One map for all kinds, so that a tag costs one look-up. */
const KINDS: ReadonlyMap<string, ElementKind> = new Map(
  [LINES, BOXES, INLINE, PREFORMATTED, READ_BY_PROGRAMS, UNSEEN].flatMap((some) =>
    [...some].map((name) => [name, makeKind(name)]),
  ),
);

export function elementKind(name: string): ElementKind {
  return KINDS.get(name) ?? makeKind(name);
}

function makeKind(name: string): ElementKind {
  const isBox = BOXES.has(name);
  const isPreformatted = PREFORMATTED.has(name);
  return {
    name,
    breaksLine: isBox || LINES.has(name),
    isBox,
    isPreformatted,
    isVerbatim: isPreformatted || READ_BY_PROGRAMS.has(name),
    hasRawText: RAW.has(name),
    dropsLineEnd: DROPS_LINE_END.has(name),
    isUnseen: UNSEEN.has(name),
    isChrome: CHROME.has(name),
    isWrapper: WRAPPERS.has(name),
    isNotThePage: NOT_THE_PAGE.has(name),
  };
}

export function names(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
