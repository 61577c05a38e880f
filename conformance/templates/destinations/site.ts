import {
  type Attributes,
  capabilityList,
  DESCRIPTION,
  description,
  document,
  type Entry,
  page,
  stated,
} from "../documents.ts";
import { type Files, type TemplateMoment, writeCase } from "../write.ts";

export const TAKEN = { at: "2026-10-15T00:00:00Z" };
export const LATER = { at: "2026-10-20T12:00:00Z" };
export const UP = [["up", "/capabilitylist.xml"]] as const;

export const A = page("A");
export const B = page("B");
export const C = page("C");
export const HOME = page("Home");
export const NEWER = page("B, newer");
export const PAGES: Files = { "/": HOME, "/a.html": A, "/b.html": B, "/c.html": C };

export function entryOf(
  [loc, content]: readonly [string, string | Uint8Array],
  md: Attributes = {},
): Entry {
  return { loc, md: { ...md, ...stated(content) } };
}

export function listOf(entries: readonly Entry[], md: Attributes = TAKEN): string {
  return document("urlset", UP, { capability: "resourcelist", ...md }, entries);
}

export function listed(pages: Files, md: Attributes = TAKEN): string {
  return listOf(
    Object.entries(pages).map((each) => entryOf(each)),
    md,
  );
}

export function filesOf(pages: Files): Files {
  const named = Object.entries(pages).map(([path, content]) => [
    decodeURIComponent(path.replace(/\/$/, "/index.html")),
    content,
  ]);
  return Object.fromEntries(named);
}

/** A site with pages and their list; other documents come besides, or in their place. */
export function site(pages: Files = PAGES, documents: Files = {}): Files {
  const lists: Record<string, string> = { resourcelist: "/resourcelist.xml" };
  if ("/changelist.xml" in documents) lists.changelist = "/changelist.xml";
  if ("/resourcedump.xml" in documents) lists.resourcedump = "/resourcedump.xml";
  if ("/changedump.xml" in documents) lists.changedump = "/changedump.xml";
  return {
    [DESCRIPTION]: description("/"),
    "/capabilitylist.xml": capabilityList("/", lists),
    "/resourcelist.xml": listed(pages),
    ...filesOf(pages),
    ...documents,
  };
}

/** Paths of the copy, equal to the files of a moment. */
export function held(moment: number, ...paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, `site/${moment}/${path}`]));
}

export const ALL = held(1, "index.html", "a.html", "b.html", "c.html");
export const OTHERS = held(1, "index.html", "a.html", "c.html");

export function copied(
  name: string,
  about: string,
  requirements: string,
  moments: readonly TemplateMoment[],
): void {
  writeCase("destinations", name, about, requirements, moments);
}
