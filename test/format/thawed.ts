import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { EmitResult } from "@rs-emit/core";
import { type Entry, type ParsedDocument, readDocumentSync } from "@rs-emit/documents";
import { onTestFinished } from "vitest";
import { contentsOf, documentsIn } from "../model/documents.ts";
import type { Frozen, FrozenSite } from "./frozen.ts";
import { Garden } from "./garden.ts";
import { rewriteDocuments, without } from "./rewrite.ts";

/** Copies of frozen sites of a version, all unless it is said which. */
export function gardensOf(
  frozen: Frozen | undefined,
  names?: readonly string[],
): readonly Garden[] {
  if (frozen === undefined) return [];
  const sites = Object.entries(frozen.sites).filter(([name]) => names?.includes(name) ?? true);
  return sites.map(([name, site]) => thawed(frozen, name, site));
}

/** A copy of a frozen site, which its author edits and publishes. */
export function thawed({ folder }: Frozen, name: string, site: FrozenSite): Garden {
  const copy = temporaryFolder();
  cpSync(join(folder, "sites", name), copy, { recursive: true });
  return new Garden(copy, site);
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rs-emit-frozen-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The names of the attributes of rs-emit's namespace that a version's documents have. */
export function writtenBy(frozen: Frozen | undefined): string[] {
  if (frozen === undefined) return [];
  const names = foreignAttributesIn(join(frozen.folder, "sites"));
  return names.flatMap((name) => (name.startsWith("emit:") ? name.slice("emit:".length) : []));
}

/** The names, with their prefixes, of attributes that ResourceSync does not define. */
export function foreignAttributesIn(folder: string): string[] {
  const documents = contentsOf(folder, (path) => !path.endsWith(".html"));
  const elements = [...documents.values()].flatMap((text) => text.match(/<rs:\w+ [^>]*>/g) ?? []);
  const names = elements.flatMap((text) => [...text.matchAll(/ (?!xmlns:)(\w+:\w+)="/g)]);
  return [...new Set(names.map(([, name = ""]) => name))].sort();
}

/** Another number of the format than its Change List Indexes had. */
export function raise({ folder }: Garden, format: number): void {
  rewriteDocuments(folder, (text, path) =>
    path.endsWith("changelist.xml")
      ? without(text, ["format"]).replace(" emit:", ` emit:format="${format}"$&`)
      : text,
  );
}

/** What a publication told, a line for each change. */
export function told({ collections }: EmitResult, { site }: Garden): string[] {
  const pathOf = (url: string) => url.slice(site.url.length);
  const lines = collections.flatMap(({ changes }) =>
    changes.map(({ url, kind, minor, moved, message, quotes }) => {
      const way = kind === "created" ? "from" : "to";
      return [
        minor ? `${kind} (minor) ${pathOf(url)}` : `${kind} ${pathOf(url)}`,
        ...(moved === undefined ? [] : [`, moved ${way} ${pathOf(moved)}`]),
        ...(message === undefined ? [] : [`; ${message}`]),
        ...(quotes?.shown.map(({ text }) => `: ${text}`) ?? []),
      ].join("");
    }),
  );
  return lines.sort();
}

/** Every entry of the Change Lists, as it is written. */
export function logIn({ folder, site }: Garden): readonly Entry[] {
  return (site.options.collections ?? [""]).flatMap((collection) => {
    const place = join(folder, String(collection));
    const index = readDocumentSync(readFileSync(join(place, "changelist.xml")));
    const lists = index.entries.map(({ loc }) => join(place, "changelist", basename(loc)));
    return lists.flatMap((list) => readDocumentSync(readFileSync(list)).entries);
  });
}

export function documentsOf({ folder, site }: Garden): ReadonlyMap<string, ParsedDocument> {
  const paths = [...documentsIn(folder).keys()].filter(
    (path) => !/(?:about\.xml|\.atom)$/.test(path),
  );
  return new Map(
    paths.map((path) => [site.url + path, readDocumentSync(readFileSync(join(folder, path)))]),
  );
}
