import type { Quotes } from "@rs-emit/feeds";
import fc from "fast-check";
import { digestToAttribute, textDigest } from "../../src/model/memory.ts";

const KINDS = ["p", "h2", "li", "img", "label", "button", "hidden", "nosnippet", "nav"] as const;
type Kind = (typeof KINDS)[number];

interface Block {
  readonly kind: Kind;
  readonly text: string;
}

export type Pages = ReadonlyMap<string, readonly Block[]>;

const QUOTED: readonly Kind[] = ["p", "h2", "li", "img"];

const TEXTS = "moss on walls|rain again today|the old lens|seven more photos|come and see".split(
  "|",
);
const MORE = TEXTS.flatMap((text) => ["north", "south", "east"].map((at) => `${text} ${at}`));

export function htmlOf(path: string, blocks: readonly Block[]): string {
  const nav = blocks.filter(({ kind }) => kind === "nav").map(({ text }) => text);
  return `<!doctype html><title>Page of ${path}</title><nav>${nav.join(" ")}</nav><main>${mainOf(blocks)}</main>`;
}

function mainOf(blocks: readonly Block[]): string {
  return blocks
    .filter(({ kind }) => kind !== "nav")
    .map(tagOf)
    .join("\n");
}

function tagOf({ kind, text }: Block): string {
  if (kind === "img") return `<img src="/i/${text.replaceAll(" ", "-")}.png" alt="${text}">`;
  if (kind === "hidden") return `<p aria-hidden="true">${text}</p>`;
  if (kind === "nosnippet") return `<p><span data-nosnippet>${text}</span></p>`;
  if (kind === "label" || kind === "button") return `<p><${kind}>${text}</${kind}></p>`;
  return `<${kind}>${text}</${kind}>`;
}

/** What the page's memory names a block by: a picture's is its file. */
function keyOf({ kind, text }: Block): string {
  const remembered = kind === "img" ? `\0${text.replaceAll(" ", "-")}.png` : text;
  return digestToAttribute(textDigest(remembered));
}

function keysOf(blocks: readonly Block[] = []): ReadonlySet<string> {
  return new Set(blocks.filter(({ kind }) => kind !== "nav").map(keyOf));
}

/** What took the place of half as many other blocks or more, between the same neighbours. */
function editedIn(old: readonly Block[], now: readonly Block[]): ReadonlySet<string> {
  const [before = [], after = []] = [old, now].map((blocks) =>
    blocks.filter(({ kind }) => kind !== "nav").map(keyOf),
  );
  const quotable = new Set(now.filter(({ kind }) => QUOTED.includes(kind)).map(keyOf));
  const isEdit = (start: number, end: number) =>
    before.some((_, at) => {
      const until = before.findIndex((key, index) => index >= at && after.includes(key));
      const gone = before.slice(at, until < 0 ? undefined : until);
      const isWhole = at === 0 || after.includes(before[at - 1] ?? "");
      const isThere =
        before[at - 1] === after[start - 1] && before[at + gone.length] === after[end];
      const news = after.slice(start, end).filter((key) => quotable.has(key)).length;
      const others = end - start - news;
      return isWhole && isThere && news <= 2 * (gone.length - others);
    });
  const replaced = new Set<string>();
  for (let start = 0; start < after.length; start++) {
    for (let end = start + 1; end <= after.length; end++) {
      const news = after.slice(start, end);
      if (news.some((key) => before.includes(key))) break;
      if (isEdit(start, end)) for (const key of news) replaced.add(key);
    }
  }
  return replaced;
}

export interface Expected {
  readonly isAddition: boolean;
  readonly texts: readonly string[];
  readonly more: number;
}

/** The quotes of one publication, by page: written from the specification, with whole texts. */
export function expectedQuotes(
  before: Pages,
  now: Pages,
  remembered: ReadonlySet<string>,
): ReadonlyMap<string, Expected> {
  const paths = [...new Set([...before.keys(), ...now.keys()])];
  const htmlIn = (pages: Pages, path: string) => {
    const blocks = pages.get(path);
    return blocks && htmlOf(path, blocks);
  };
  const changed = paths.filter((path) => htmlIn(before, path) !== htmlIn(now, path));
  const known = (path: string) =>
    remembered.has(path) ? keysOf(before.get(path)) : new Set<string>();
  const counted = changed.filter(
    (path) => !(before.has(path) && now.has(path)) || remembered.has(path),
  );
  const numberOf = (has: (path: string) => boolean) => counted.filter(has).length;
  const isNewOn = (key: string) => (path: string) =>
    keysOf(now.get(path)).has(key) && !known(path).has(key);
  const isGoneFrom = (key: string) => (path: string) =>
    known(path).has(key) && !keysOf(now.get(path)).has(key);
  const expected = new Map<string, Expected>();
  const created = changed.filter((path) => !before.has(path));
  const told = new Set(created.flatMap((path) => [...keysOf(now.get(path))]));
  const addressOf = (path: string) => path.replace(/^index\.html$/, "");
  // Nothing moves from a page of which only the navigation changed.
  const hasOtherShell = (path: string) =>
    now.has(path) && mainOf(before.get(path) ?? []) === mainOf(now.get(path) ?? []);
  const fromLast = changed.toSorted((one, other) => (addressOf(one) < addressOf(other) ? 1 : -1));
  for (const path of fromLast) {
    const [old, blocks] = [before.get(path), now.get(path)];
    if (old === undefined || blocks === undefined || !remembered.has(path)) continue;
    const had = keysOf(old);
    const gone = [...had].filter((key) => !keysOf(blocks).has(key));
    const isRebuilt = gone.length > keysOf(blocks).size;
    if (isRebuilt) continue;
    const edits = editedIn(old, blocks);
    const isMoved = (key: string) =>
      changed.some((one) => known(one).has(key) && !hasOtherShell(one));
    const candidates = blocks.filter(({ kind }) => QUOTED.includes(kind));
    const news = new Map<string, Block>();
    for (const block of candidates) {
      const key = keyOf(block);
      const isKnown = had.has(key) || isMoved(key) || told.has(key) || edits.has(key);
      const isNews = !isKnown && numberOf(isNewOn(key)) <= 3;
      if (isNews && !news.has(key)) news.set(key, block);
    }
    const rank = ({ kind }: Block) => ["h2", "p", "img"].indexOf(kind === "li" ? "p" : kind);
    const sorted = [...news.values()].sort((one, other) => rank(one) - rank(other));
    const texts = [...new Set(sorted.map(({ text }) => text))].slice(0, 3);
    if (texts.length === 0) continue;
    for (const key of news.keys()) told.add(key);
    const isAddition = gone.every((key) => numberOf(isGoneFrom(key)) > 3);
    expected.set(path, { isAddition, texts, more: news.size - texts.length });
  }
  return expected;
}

/** What a publication told, in the model's form. */
export function toldQuotes(
  changes: Iterable<{ readonly url: string; readonly quotes?: Quotes | undefined }>,
): ReadonlyMap<string, Expected> {
  return new Map(
    [...changes].flatMap(({ url, quotes }) => {
      if (quotes === undefined) return [];
      const { isAddition, shown, more } = quotes;
      const texts = shown.map(({ text }) => text);
      return [[new URL(url).pathname.slice(1) || "index.html", { isAddition, texts, more }]];
    }),
  );
}

export const BEGINNING: Pages = new Map([
  ["index.html", []],
  ["a.html", [{ kind: "p", text: "the first words" }]],
  ["b.html", [{ kind: "li", text: "moss on walls north" }]],
]);

const block = fc.record({ kind: fc.constantFrom(...KINDS), text: fc.constantFrom(...MORE) });
const path = fc.constantFrom("a.html", "b.html", "c.html", "d.html", "e.html");

export type Edit =
  | { readonly do: "insert"; readonly path: string; readonly block: Block; readonly at: number }
  | { readonly do: "replace"; readonly path: string; readonly block: Block; readonly at: number }
  | { readonly do: "remove"; readonly path: string; readonly at: number }
  | { readonly do: "move"; readonly path: string; readonly to: string; readonly at: number }
  | { readonly do: "share"; readonly block: Block }
  | { readonly do: "delete"; readonly path: string };

export const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("insert"), path, block, at: fc.nat(6) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("replace"), path, block, at: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("remove"), path, at: fc.nat(6) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("move"), path, to: path, at: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("share"), block }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete"), path }) },
);

export function edited(pages: Pages, one: Edit): Pages {
  const next = new Map([...pages].map(([path, blocks]) => [path, [...blocks]]));
  if (one.do === "share") for (const blocks of next.values()) blocks.push(one.block);
  else if (one.do === "delete") next.delete(one.path);
  else if (one.do === "insert" || one.do === "replace") {
    const blocks = next.get(one.path) ?? [];
    blocks.splice(one.at, one.do === "replace" ? 1 : 0, one.block);
    next.set(one.path, blocks);
  } else {
    const [taken] = next.get(one.path)?.splice(one.at, 1) ?? [];
    if (one.do === "move" && taken !== undefined) next.get(one.to)?.push(taken);
  }
  return next;
}
