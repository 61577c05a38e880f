import { htmlIn } from "./pages.ts";

/** A site as it stood at one time: the bytes of its pages, by their paths on the site. */
export type Moment = ReadonlyMap<string, string>;

/** One thing that happened to a page between two moments. */
export interface TrueChange {
  readonly kind: "created" | "updated" | "deleted";
  readonly path: string;
}

/** The pages for readers below a folder: what hosts show for errors, and redirects, are none. */
export function momentIn(folder: string): Moment {
  return new Map(
    [...htmlIn(folder)]
      .filter(([file, html]) => !/^(?:404|500)\.html$/.test(file) && !html.includes("http-equiv"))
      .map(([file, html]) => [`/${encodeURI(file).replace(/(^|\/)index\.html$/, "$1")}`, html]),
  );
}

/** What became of pages from one moment to the next. */
export function changesBetween(before: Moment, after: Moment): TrueChange[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].flatMap((path): TrueChange[] => {
    if (!before.has(path)) return [{ kind: "created", path }];
    if (!after.has(path)) return [{ kind: "deleted", path }];
    return before.get(path) === after.get(path) ? [] : [{ kind: "updated", path }];
  });
}
