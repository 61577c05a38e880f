import { basename, extname } from "node:path";
import type { Making } from "@rs-emit/core/adapter";
import type { EntryFacts } from "../content/entry-facts.ts";
import { entryId } from "../content/entry-id.ts";
import type { Part } from "./parts.ts";

type StatedPart = Extract<Part, { kind: "stated" }>;

/**
 * What a version of a file made whose neighbours the option `source` names: how they name their pages
 * is all there is to go by.
 */
export function statedMaking({ path, group }: StatedPart, { slug }: EntryFacts): Making {
  const stem = basename(path, extname(path));
  const undated = stem.replace(/^\d{4}-\d{2}-\d{2}-/, "");
  const names = [slug ?? entryId(stem), stem, undated, entryId(undated)];
  return { kind: "page", ways: [`${group} ${slug === undefined}`], names };
}
