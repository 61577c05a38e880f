import { capabilityList, changeList, DESCRIPTION, description, type Entry } from "../documents.ts";
import { type Files, type TemplateMoment, writeCase } from "../write.ts";

export const DAYS = ["2026-10-20T12:00:00Z", "2026-10-21T12:00:00Z", "2026-10-22T12:00:00Z"];
export const A = "created /a.html 2026-10-12T08:00:00Z";
export const B = "updated /b.html 2026-10-13T09:00:00Z";
export const C = "deleted /c.html 2026-10-14T10:00:00Z";
export const NEW = "updated /new.html 2026-10-20T18:00:00Z";
export const NEWER = "updated /newer.html 2026-10-21T18:00:00Z";
export const LOG = [A, B, C];

/** A site with one collection; some files differ. */
export function site(changes: readonly (string | Entry)[] = LOG, files: Files = {}): Files {
  return {
    [DESCRIPTION]: description("/"),
    "/capabilitylist.xml": capabilityList(),
    "/changelist.xml": changeList(changes),
    ...files,
  };
}

export function follower(
  name: string,
  about: string,
  requirements: string,
  moments: readonly TemplateMoment[],
  more: { readonly start?: string } = {},
): void {
  const timed = moments.map((moment, index) => ({ now: DAYS[index] ?? "", ...moment }));
  writeCase("followers", name, about, requirements, timed, more);
}

/** A case of one moment. */
export function once(
  name: string,
  about: string,
  requirements: string,
  files: Files,
  tells: readonly string[],
  never: readonly string[],
  others: Omit<TemplateMoment, "tells" | "never"> & { readonly start?: string } = {},
): void {
  const { start, ...moment } = others;
  const more = start === undefined ? {} : { start };
  follower(name, about, requirements, [{ site: files, tells, never, ...moment }], more);
}

/** A log that is written in an odd form, with one entry more than is told. */
export function form(
  name: string,
  about: string,
  requirements: string,
  list: string | Uint8Array,
): void {
  const files = site([], { "/changelist.xml": list });
  once(name, about, requirements, files, LOG, ["/undated.html"]);
}

export const UNDATED: Entry = { loc: "/undated.html", md: { change: "updated" } };
export const PLAIN = changeList([...LOG, UNDATED]);
