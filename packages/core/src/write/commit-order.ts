import { basename } from "node:path";
import {
  ABOUT,
  CAPABILITY_LIST,
  CHANGE_DUMP,
  CHANGE_LIST_INDEX,
  HEADERS,
  isChangeListName,
  isFeedName,
  isOfDump,
  isResourceListPartName,
  NOTIFICATION,
  RESOURCE_DUMP,
  RESOURCE_LIST,
  ROBOTS,
  SOURCE_DESCRIPTION,
} from "../model/layout.ts";

interface WrittenFile {
  readonly path: string;
}

/** Change Lists first; the Resource List, which commits, last (design: Publishing safely). */
const COMMIT_ORDER = [
  CHANGE_LIST_INDEX,
  "feed",
  NOTIFICATION,
  "package",
  RESOURCE_DUMP,
  CHANGE_DUMP,
  ABOUT,
  CAPABILITY_LIST,
  basename(SOURCE_DESCRIPTION),
  HEADERS,
  ROBOTS,
  "part of the Resource List",
  RESOURCE_LIST,
];

export function inCommitOrder(one: WrittenFile, other: WrittenFile): number {
  return rank(one.path) - rank(other.path);
}

function rank(path: string): number {
  const name = basename(path);
  if (isResourceListPartName(name)) return COMMIT_ORDER.indexOf("part of the Resource List");
  if (isOfDump(name)) return COMMIT_ORDER.indexOf("package");
  if (isFeedName(name) && !isChangeListName(name)) return COMMIT_ORDER.indexOf("feed");
  return COMMIT_ORDER.indexOf(name); // -1: a Change List
}
