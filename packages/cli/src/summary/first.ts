import type { EmitResult } from "@rs-emit/core";
import { collectionName, count, describeLog, printable } from "@rs-emit/core/words";
import type { Look } from "../terminal.ts";
import { columnsOf, cutTo, padTo, wrap } from "../wrap.ts";
import { shortPath } from "./words.ts";

/** More link lines than these say nothing new. */
const MOST_LINKS = 4;

const NARROWEST_NAME = 20;

/** What a first publication tells: a line for each collection. */
export function describeFirst({ collections, site }: EmitResult, look: Look): string {
  const rows = collections.map((collection) => ({
    name: printable(collectionName(collection, site)),
    told: describeLog(collection),
  }));
  const told = Math.max(...rows.map((row) => row.told.length));
  const names = Math.max(...rows.map(({ name }) => columnsOf(name)));
  const room = Math.max(NARROWEST_NAME, look.width - told - "    ".length);
  return rows
    .map(({ name, told }) => {
      const columns = Math.min(names, room);
      return `  ${look.paint("bold", padTo(columns, cutTo(columns, name)))}  ${told}`;
    })
    .join("\n");
}

/**
 * What is left to do for the author after a first publication.
 *
 * @param publishing how the next change is published
 */
export function describeNextSteps(
  { collections, folder }: EmitResult,
  look: Look,
  publishing: string,
): string {
  const links = collections.slice(0, MOST_LINKS).map(({ url }) => {
    const href = `${new URL(url).pathname}capabilitylist.xml`;
    return look.paint("cyan", `     <link rel="resourcesync" href="${href}">`);
  });
  const rest = collections.length - links.length;
  const where =
    collections.length === 1
      ? "this line to the <head> of its pages"
      : "its line to the <head> of each collection's pages";
  return [
    look.paint("bold", "Next"),
    listed(
      "1.",
      `Upload ${shortPath(folder)}, all of it: .well-known too, which some tools leave out.`,
      look,
    ),
    listed(
      "2.",
      `Unless it is there, add ${where}: followers find the log from any of them.`,
      look,
    ),
    ...links,
    ...(rest > 0 ? [`     and so on for ${count(rest, "more collection")}`] : []),
    listed("3.", `After each edit, ${publishing} and upload.`, look),
  ].join("\n");
}

function listed(number: string, text: string, { width }: Look): string {
  return wrap(text, width, "     ").replace("     ", `  ${number} `);
}
