import fc from "fast-check";
import {
  edited,
  firstGarden,
  type Garden,
  gardenEdit,
  htmlOfGarden,
  published,
} from "../../packages/core/test/support/garden.ts";
import type { TestRepository } from "../../packages/core/test/support/repository.ts";

/** The files below the output folder, by their paths. */
type Files = ReadonlyMap<string, string | Buffer>;

export interface SiteCommit {
  /** Seconds after the first commit. */
  readonly at: number;
  readonly files: Files;
}

/** How an author may write a page, beside its own words. */
const WAYS = {
  plain: (path, html) => [[path, html]],
  commented: (path, html, at) => [[path, `${html}<!-- built ${at} -->`]],
  hidden: (path, html) => [[path, html.replace("<title>", `${NOINDEX}<title>`)]],
  redirect: (path) => [[path, stubTo("index.html")]],
  below: (path, html) => [[`shrine/${path}`, html]],
  "below, with a redirect": (path, html) => [
    [`shrine/${path}`, html],
    [path, stubTo(`shrine/${path}`)],
  ],
  composed: (path, html) => [[`\u00e9${path}`, html]],
  decomposed: (path, html) => [[`e\u0301${path}`, html]],
  unreadable: (path, html) => [[path, Buffer.from(html.replaceAll("<p>", "<p>\u00b0"), "latin1")]],
  frame: (path, html) => [[path, html.replace("<title>", '<base target="right"><title>')]],
  untitled: (path, html) => [[path, html.replace(/<title>.*<\/title>/, "<title></title>")]],
  "named as home": (path, html) => [
    [path, html.replace(/<title>.*<\/title>/, "<title>Moss</title>")],
  ],
} satisfies Record<string, (path: string, html: string, at: number) => WrittenFiles>;

type WrittenFiles = (readonly [path: string, html: string | Buffer])[];

const NOINDEX = '<meta name="robots" content="noindex">';

function stubTo(path: string): string {
  return `<!doctype html><title>Moved</title><meta http-equiv="refresh" content="0; url=/${path}">`;
}

type Way = keyof typeof WAYS;
const ALL: readonly Way[] = Object.keys(WAYS).filter((way): way is Way => way in WAYS);

interface Step {
  readonly edits: readonly Parameters<typeof edited>[1][];
  readonly ways: readonly (readonly [page: number, way: Way])[];
  readonly after: number;
}

function stepsApart(after: fc.Arbitrary<number>): fc.Arbitrary<readonly Step[]> {
  const way = fc.tuple(fc.nat(11), fc.constantFrom(...ALL));
  const step = fc.record({
    edits: fc.array(gardenEdit, { maxLength: 4 }),
    ways: fc.array(way, { maxLength: 2 }),
    after,
  });
  return fc.array(step, { minLength: 3, maxLength: 7 });
}

/** What an author does to a site written by hand. */
export interface SiteScript {
  readonly hasMain: boolean;
  readonly steps: readonly Step[];
}

/** @param after seconds from one commit to the next */
export function siteScript(after: fc.Arbitrary<number>): fc.Arbitrary<SiteScript> {
  return fc.record({ hasMain: fc.boolean(), steps: stepsApart(after) });
}

/** A garden whose pages are hidden, moved, respelled and shown again. */
export function commitsOf({ hasMain, steps }: SiteScript): SiteCommit[] {
  const written = new Map<string, Way>();
  let garden = firstGarden(hasMain);
  let at = 0;
  const commits: SiteCommit[] = [{ at, files: filesOf(garden, written, 0) }];
  for (const { edits, ways, after } of steps) {
    garden = published(edits.reduce(edited, garden));
    at += after;
    const paths = [...garden.pages.keys()].filter((path) => path !== "index.html");
    for (const [page, way] of ways) written.set(paths[page % paths.length] ?? "", way);
    commits.push({ at, files: filesOf(garden, written, at) });
  }
  return commits;
}

function filesOf(garden: Garden, written: ReadonlyMap<string, Way>, at: number): Files {
  const files = [...htmlOfGarden(garden)].flatMap(([path, html]): WrittenFiles => {
    return WAYS[written.get(path) ?? "plain"](path, html, at);
  });
  return new Map(files);
}

/** @param folder below the repository's root */
export function commitSite(
  repository: TestRepository,
  folder: string,
  commits: readonly SiteCommit[],
  beginning: number,
): void {
  let before: Files = new Map();
  for (const { at, files } of commits) {
    for (const path of before.keys()) {
      if (!files.has(path)) repository.remove(`${folder}/${path}`);
    }
    for (const [path, html] of files) repository.write(`${folder}/${path}`, html);
    repository.commit(beginning + at, `Edit ${at}`);
    before = files;
  }
}
