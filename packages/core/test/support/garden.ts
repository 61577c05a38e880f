import fc from "fast-check";
import { NAMES, SENTENCES } from "./sentences.ts";

/** What a page of the model says in one place. */
export type Block =
  | {
      readonly kind: "p" | "h2" | "li" | "tr";
      /** Which sentence it is. */
      readonly saying: number;
      readonly isTypo?: boolean;
      readonly number?: number;
      /** The number is a time of day. */
      readonly isTime?: boolean;
      /** Its author dated it with these days. */
      readonly isDated?: boolean;
      /** Sentences behind the first. */
      readonly more?: readonly number[];
    }
  | { readonly kind: "img"; readonly file: number; readonly alt: string }
  | { readonly kind: "file"; readonly file: number; readonly words: string }
  | { readonly kind: "embed"; readonly file: number; readonly words: string };

export interface GardenPage {
  readonly title: string;
  readonly hasHeading: boolean;
  readonly blocks: readonly Block[];
  /** What lists show of it: since it was published, the beginning of its first sentence. */
  readonly beginning: string | undefined;
  /** The page that it leads on to. */
  readonly next: string | undefined;
  /** Of a list, how many of the newest posts it shows. */
  readonly lists?: number;
}

/** A site whose every sentence, picture and file is known, and what they mean. */
export interface Garden {
  readonly pages: ReadonlyMap<string, GardenPage>;
  readonly hasMain: boolean;
  readonly menu: readonly string[];
  readonly year: number;
  readonly removed: readonly Block[];
  /** How much was made: what comes next was never there. */
  readonly made: number;
}

const SITE_NAME = "Moss";
const HOME = "index.html";
const ARCHIVE = "archive.html";
const FIRST_POSTS = 5;
/** A smaller site has no shell that can be told. */
const FEWEST_POSTS = 4;

/** A post and what it says first. */
const MADE_BY_POST = 4;

const EDITS = [
  "add",
  "add",
  "add",
  "sentence",
  "sentence",
  "typo",
  "typo",
  "number",
  "time",
  "replace",
  "replace",
  "remove",
  "return",
  "return",
  "reorder",
  "picture",
  "picture without words",
  "picture of another name",
  "file",
  "file of another name",
  "embed",
  "embed without title",
  "date",
  "copy",
  "take",
  "share",
  "post",
  "post",
  "delete",
  "move",
  "merge",
  "title",
  "title",
  "heading",
  "next",
  "year",
  "menu",
  "main",
  "back",
] as const;

export interface GardenEdit {
  readonly do: (typeof EDITS)[number];
  readonly page: number;
  readonly other: number;
  readonly at: number;
}

const NUMBER = fc.oneof(fc.nat(11), fc.nat(2));
export const gardenEdit: fc.Arbitrary<GardenEdit> = fc.record({
  do: fc.constantFrom(...EDITS),
  page: NUMBER,
  other: NUMBER,
  at: NUMBER,
});

export function firstGarden(hasMain: boolean): Garden {
  const empty = {
    hasHeading: true,
    blocks: [],
    beginning: undefined,
    next: undefined,
  };
  const pages = new Map<string, GardenPage>([
    [HOME, { ...empty, title: "", hasHeading: false, lists: 3 }],
    [ARCHIVE, { ...empty, title: "All that grows", lists: Number.POSITIVE_INFINITY }],
  ]);
  const posts: readonly GardenEdit["do"][] = Array(FIRST_POSTS).fill("post");
  const start: Garden = { pages, hasMain, menu: [HOME, ARCHIVE], year: 2025, removed: [], made: 0 };
  return published(
    posts.reduce((site, one) => edited(site, { do: one, page: 0, other: 0, at: 0 }), start),
  );
}

/** The site as it is to be published: its lists show posts as they are now from now on. */
export function published(garden: Garden): Garden {
  const pages = [...garden.pages].map(([path, page]) => {
    const beginning = page.beginning ?? beginningOf(page);
    return [path, { ...page, beginning }] as const;
  });
  return { ...garden, pages: new Map(pages) };
}

function beginningOf({ blocks }: GardenPage): string | undefined {
  for (const block of blocks) {
    if (block.kind === "p" && !block.isTypo) return SENTENCES[block.saying]?.beginning;
  }
  return undefined;
}

export function edited(garden: Garden, edit: GardenEdit): Garden {
  const posts = [...garden.pages].filter(([, page]) => page.lists === undefined);
  const from = edit.do === "title" || edit.do === "heading" ? posts : [...garden.pages];
  const [path, page] = from[edit.page % from.length] ?? fail();
  const [otherPath, other] = posts[edit.other % posts.length] ?? [path, page];
  const made = garden.made + 1;
  if (made + MADE_BY_POST > SENTENCES.length) return garden;
  const set = (blocks: readonly Block[], more: Partial<GardenPage> = {}): Garden => {
    const pages = new Map(garden.pages).set(path, { ...page, ...more, blocks });
    return { ...garden, pages, made };
  };
  const { blocks } = page;
  const at = edit.at % (blocks.length + 1);
  const insert = (block: Block) => set([...blocks.slice(0, at), block, ...blocks.slice(at)]);
  const change = (how: (block: Block) => Block | undefined) => {
    const changed = blocks.map((block, place) => [place, how(block)] as const);
    const found = changed.filter(([, block]) => block !== undefined);
    const [place, block] = found[edit.at % found.length] ?? [];
    if (place === undefined || block === undefined) return garden;
    return set(blocks.with(place, block));
  };
  const without = (gone: string) => new Map([...garden.pages].filter(([one]) => one !== gone));
  const name = NAMES[made] ?? fail();
  switch (edit.do) {
    case "add":
      return insert(freshBlock(made, edit.other));
    case "sentence":
      return change((one) => {
        // A full stop behind a number ends no sentence.
        if (!("saying" in one) || one.number !== undefined) return undefined;
        const { more = [] } = one;
        const place = edit.other % (more.length + 1);
        return { ...one, more: [...more.slice(0, place), made, ...more.slice(place)] };
      });
    case "typo":
      return change((one) => ("saying" in one ? { ...one, isTypo: !one.isTypo } : undefined));
    case "number":
      return change((one) => {
        const hasNumber = "number" in one && !one.isTime;
        return hasNumber ? { ...one, number: 10 + (made % 80) } : undefined;
      });
    case "time":
      return change((one) => {
        return "number" in one && one.isTime ? { ...one, number: 10 + (made % 80) } : undefined;
      });
    case "replace":
      return change(() => freshBlock(made, edit.other));
    case "remove": {
      const removed = [...garden.removed, ...blocks.slice(at, at + 1)];
      return { ...set(blocks.toSpliced(at, 1)), removed };
    }
    case "return": {
      const removed = garden.removed.at(-1 - (edit.other % Math.max(1, garden.removed.length)));
      return removed === undefined ? garden : insert(removed);
    }
    case "reorder":
      return set([...blocks.slice(at), ...blocks.slice(0, at)]);
    case "picture":
      return insert({ kind: "img", file: made, alt: name });
    case "picture without words":
      return insert({ kind: "img", file: made, alt: "" });
    case "picture of another name":
      return change((one) => (one.kind === "img" ? { ...one, file: made } : undefined));
    case "file":
      return insert({ kind: "file", file: made, words: name });
    case "file of another name":
      return change((one) => (one.kind === "file" ? { ...one, file: made } : undefined));
    case "embed":
      return insert({ kind: "embed", file: made, words: name });
    case "embed without title":
      return insert({ kind: "embed", file: made, words: "" });
    case "date":
      return insert({ kind: "li", saying: made, isDated: true });
    case "copy": {
      const taken = other.blocks[edit.at % Math.max(1, other.blocks.length)];
      return taken === undefined ? garden : insert(taken);
    }
    case "take": {
      const taken = other.blocks[edit.at % Math.max(1, other.blocks.length)];
      if (taken === undefined || path === otherPath) return garden;
      const { pages } = insert(taken);
      const rest = other.blocks.filter((one) => one !== taken);
      return { ...garden, pages: new Map(pages).set(otherPath, { ...other, blocks: rest }), made };
    }
    case "share": {
      const pages = [...garden.pages].map(([one, { blocks, ...rest }], place) => {
        const isReported = place % (1 + (edit.other % 4)) === 0;
        const kind = place === edit.at ? "h2" : "p";
        const more: readonly Block[] = isReported ? [{ kind, saying: made }] : [];
        return [one, { ...rest, blocks: [...blocks, ...more] }] as const;
      });
      return { ...garden, pages: new Map(pages), made };
    }
    case "post": {
      const post: GardenPage = {
        title: name,
        hasHeading: edit.other % 3 > 0,
        blocks: [{ kind: "p", saying: made }, ...moreBlocks(made, edit.at)],
        beginning: undefined,
        next: posts.length > 0 && edit.other % 4 === 0 ? otherPath : undefined,
      };
      return {
        ...garden,
        pages: new Map(garden.pages).set(`p${made}.html`, post),
        made: made + MADE_BY_POST,
      };
    }
    case "delete":
      if (posts.length <= FEWEST_POSTS) return garden;
      return { ...garden, pages: withoutLinks(without(otherPath), otherPath, undefined) };
    case "move": {
      const moved = `p${made}.html`;
      const pages = [...garden.pages].map(([one, page]) => {
        return [one === otherPath ? moved : one, page] as const;
      });
      return { ...garden, pages: withoutLinks(new Map(pages), otherPath, moved), made };
    }
    case "merge": {
      if (posts.length <= FEWEST_POSTS || path === otherPath) return garden;
      const { pages } = set([...blocks, ...other.blocks]);
      const left = new Map([...pages].filter(([one]) => one !== otherPath));
      return { ...garden, pages: withoutLinks(left, otherPath, undefined), made };
    }
    case "title":
      return set(blocks, { title: name });
    case "heading":
      return set(blocks, { hasHeading: !page.hasHeading });
    case "next":
      return set(blocks, { next: page.lists === undefined ? otherPath : undefined });
    case "year":
      return { ...garden, year: garden.year + 1 };
    case "menu":
      return { ...garden, menu: [...new Set([...garden.menu, HOME, `m${made}`])].slice(-4), made };
    case "main":
      return { ...garden, hasMain: !garden.hasMain };
    case "back":
      return change((one) => {
        return "saying" in one && one.saying > 2 ? { ...one, saying: one.saying - 1 } : undefined;
      });
  }
}

function withoutLinks(
  pages: ReadonlyMap<string, GardenPage>,
  from: string,
  to: string | undefined,
): ReadonlyMap<string, GardenPage> {
  return new Map(
    [...pages].map(([path, page]) => {
      return [path, page.next === from ? { ...page, next: to } : page] as const;
    }),
  );
}

function freshBlock(saying: number, how: number): Block {
  const kind = (["p", "h2", "li", "tr"] as const)[how % 4] ?? "p";
  if (how % 3 === 0) return { kind, saying };
  return { kind, saying, number: 10 + how, ...(how % 3 === 1 ? { isTime: true } : {}) };
}

function moreBlocks(made: number, how: number): readonly Block[] {
  return [1, 2, 3].slice(how % 4).map((more) => freshBlock(made + more, how + more));
}

function fail(): never {
  throw new Error("the model has no more");
}

/** Each sentence of a block. */
export function sentencesOf(block: Block): readonly string[] {
  if (block.kind === "img") return [block.alt];
  if (block.kind === "file" || block.kind === "embed") return [block.words];
  const { text = "", typo = "" } = SENTENCES[block.saying] ?? {};
  const said = block.isTypo ? typo : text;
  if (block.more !== undefined) {
    return [said, ...block.more.map((one) => SENTENCES[one]?.text)].map((one) => `${one}.`);
  }
  if (block.number === undefined) return [said];
  return [`${said} ${block.number}${block.isTime ? ":30" : ""}`];
}

/** The posts that a list shows, newest first. */
export function listed(garden: Garden, { lists = 0 }: GardenPage) {
  const posts = [...garden.pages].filter(([, page]) => page.lists === undefined);
  return posts.reverse().slice(0, lists);
}

export function menuLabel(name: string): string {
  return name.startsWith("m") ? (NAMES[NAMES.length - Number(name.slice(1))] ?? "") : name;
}

/** All that a page says but for its shell. */
export function mainOf(garden: Garden, page: GardenPage): string {
  const next = page.next && garden.pages.get(page.next);
  return [
    page.hasHeading ? `<h1>${page.title}</h1>` : "",
    ...page.blocks.map(htmlOfBlock),
    ...listed(garden, page).map(([path, post]) => {
      const beginning = post.beginning === undefined ? "" : `<p>${post.beginning}</p>`;
      return `<section><a href="${path}">${post.title}</a>${beginning}</section>`;
    }),
    next ? `<p>Next: <a href="${page.next}">${next.title}</a></p>` : "",
  ].join("\n");
}

/** Within a week of all publications of the model. */
const NEAR_DAY = "12 October";

export function embedded({ file }: { readonly file: number }): string {
  return `https://e${file}.example/`;
}

function htmlOfBlock(block: Block): string {
  const text = sentencesOf(block).join(" ");
  if (block.kind === "img") return `<img src="i/i${block.file}.png" alt="${text}">`;
  if (block.kind === "file") return `<p><a href="f/f${block.file}.pdf">${text}</a></p>`;
  if (block.kind === "embed") return `<iframe src="${embedded(block)}" title="${text}"></iframe>`;
  if ("isDated" in block) return `<li>${NEAR_DAY}: ${text}</li>`;
  if (block.kind !== "tr") return `<${block.kind}>${text}</${block.kind}>`;
  return `<table><tr><td>${text.replace(" ", "<td>")}</table>`;
}

export function titleOf({ title }: GardenPage): string {
  return title === "" ? SITE_NAME : `${title} – ${SITE_NAME}`;
}

/** The files of the site. */
export function htmlOfGarden(garden: Garden): ReadonlyMap<string, string> {
  const menu = garden.menu
    .map((name) => `<p><a href="${HOME}">${menuLabel(name)}</a></p>`)
    .join("");
  const year = `<p>© ${garden.year} Ami of the wall</p>`;
  return new Map(
    [...garden.pages].map(([path, page]) => {
      const main = mainOf(garden, page);
      const body = garden.hasMain
        ? `<header>${menu}</header><main>${main}</main><footer>${year}</footer>`
        : `<div>${menu}</div><div>${main}</div><div>${year}</div>`;
      const head = `<!doctype html><html lang="en"><title>${titleOf(page)}</title>`;
      return [path, `${head}<body>${body}</body></html>`] as const;
    }),
  );
}
