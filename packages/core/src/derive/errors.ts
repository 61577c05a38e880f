import { count, formatDatetime, list, numeral } from "@rs-emit/documents";
import { EmitError } from "../model/errors.ts";
import { mention, type Sentence, sentence, type Text } from "../model/sentence.ts";

const NAMED = 3;

export function massDeleteError(
  collection: string,
  gone: readonly string[],
  known: number,
  why: string,
  check: string | Sentence,
): EmitError {
  return new EmitError({
    code: "MASS_DELETE",
    problem:
      `${numeral(gone.length)} of the ${numeral(known)} published pages of ${collection} would be reported as deleted ` +
      `(${list(gone, NAMED)}): ${why}. They were in ${list(foldersOf(gone, collection), NAMED)}.`,
    cure: [
      check,
      sentence`If they are meant to be gone, say so with the option ${mention("allowMassDelete")}, for one run only.`,
    ],
  });
}

/** Where pages were below a collection, with their number, the most first. */
function foldersOf(urls: readonly string[], collection: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const url of urls) {
    const [first = "", ...deeper] = url.slice(collection.length).split("/");
    const folder = deeper.length === 0 ? new URL(collection).pathname : `${first}/`;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([folder, pages]) => `${folder} (${count(pages, "page")})`);
}

/** The options end a log, and the author did not ask for that. */
export function withdrawnLogError(collection: string, pages: number, path: string): EmitError {
  return new EmitError({
    code: "LOG_WITHDRAWN",
    problem: `The log of ${collection} (${count(pages, "page")}) would end: the collections that are given leave it out.`,
    cure: [
      sentence`If it is to go on, name it too, with the option ${mention("collections", path)}.`,
      sentence`If it is meant to end, say so with the option ${mention("allowMassDelete")}, for one run only.`,
    ],
  });
}

/** @param what the thing with that time, and a verb */
export function clockError(
  what: string | Sentence,
  time: number,
  now: number,
  cure: Text,
): EmitError {
  return new EmitError({
    code: "CLOCK",
    problem: sentence`${what} ${formatDatetime(time)}, more than a day after ${formatDatetime(now)}.`,
    cure,
    option: "now",
  });
}
