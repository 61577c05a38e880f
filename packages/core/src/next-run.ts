import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry } from "@rs-emit/documents";
import { EmitError, foreignSitemapError } from "./model/errors.ts";
import { DISK } from "./model/file-system.ts";
import {
  ABOUT,
  CAPABILITY_LIST,
  CHANGE_DUMP,
  GENERATOR,
  HEADERS,
  isDocumentName,
  isOfResourceDump,
  manifestCopyName,
  RESOURCE_DUMP,
  RESOURCE_DUMP_FOLDER,
  SOURCE_DESCRIPTION,
} from "./model/layout.ts";
import type { CollectionPublication, Publication } from "./model/publication.ts";
import type { EmitOptions } from "./options/emit-options.generated.ts";
import { parseOptions, type Settings } from "./options/settings.ts";
import { FolderStore, StoredDocument } from "./recall/document-store.ts";
import { recallOutput, recallSite } from "./recall/previous-publication.ts";
import { robotsLine } from "./sitemap/index.ts";
import { isForeign } from "./write/existing-files.ts";
import { withOwnLines } from "./write/own-lines.ts";
import { Staging } from "./write/staging.ts";

/**
 * Reads documents with the code of a run, and no pages.
 * @param options the run's, as far as they are known
 * @returns the error that would stop a run; `undefined` where it can continue, or start a first log
 */
export async function stopOfNextRun(
  options: EmitOptions,
  from: "output" | "site",
): Promise<EmitError | undefined> {
  // The copies of an earlier run would hide what the site serves now.
  const cacheFolder = mkdtempSync(join(tmpdir(), "rs-emit-"));
  try {
    const settings = parseOptions(options);
    const read = from === "site" ? recallSite : recallOutput;
    const recalled = await read(settings, { cacheFolder });
    if (recalled.kind !== "published") return undefined;
    const { publication } = recalled;
    for (const { log } of publication.collections) await log.open?.readEntries();
    if (from === "output") await refuseForeign(settings, publication);
    return undefined;
  } catch (error) {
    if (error instanceof EmitError) return error;
    throw error;
  } finally {
    rmSync(cacheFolder, { recursive: true, force: true });
  }
}

/** Refuses files that a run would overwrite and rs-emit did not write. */
async function refuseForeign(settings: Settings, { collections }: Publication): Promise<void> {
  const { folder, site, whole, force } = settings;
  const staging = new Staging(folder, DISK, { dryRun: true, force, isBuilt: false });
  const paths = [SOURCE_DESCRIPTION];
  for (const one of collections) paths.push(...(await writtenFor(one, settings)));
  const hasRoot = collections.some(({ url }) => url === site);
  if (whole.describedby === undefined && !hasRoot) paths.push(ABOUT);
  for (const path of paths) staging.add({ path, bytes: Buffer.from(GENERATOR) });
  const sitemap = settings.sitemap ?? collections.find((one) => one.sitemap !== undefined)?.sitemap;
  if (sitemap !== undefined && isForeign(join(folder, sitemap))) {
    throw foreignSitemapError(sitemap);
  }
  withOwnLines(folder, HEADERS, []);
  robotsLine({ folder, robots: false }, undefined);
  await staging.commit();
}

async function writtenFor(
  collection: CollectionPublication,
  settings: Settings,
): Promise<readonly string[]> {
  const { url, folder, describedby } = collection;
  const place = join(settings.folder, folder);
  const names = new Set([CAPABILITY_LIST]);
  if (describedby === undefined || describedby === url + ABOUT) names.add(ABOUT);
  if (settings.feed !== undefined) names.add(settings.feed.file);
  for (const { loc } of await capabilitiesIn(settings.folder, folder)) {
    const name = loc.slice(loc.lastIndexOf("/") + 1);
    if (isDocumentName(name) && existsSync(join(place, name))) names.add(name);
  }
  if (names.has(RESOURCE_DUMP)) {
    const packages = join(place, RESOURCE_DUMP_FOLDER);
    const found = existsSync(packages) ? readdirSync(packages) : [];
    for (const name of found.map((one) => RESOURCE_DUMP_FOLDER + one)) {
      if (isOfResourceDump(name)) names.add(name);
    }
  }
  if (names.has(CHANGE_DUMP)) {
    for (const name of await keptPackages(collection, settings)) {
      names.add(name).add(manifestCopyName(name));
    }
  }
  return [...names].map((name) => folder + name);
}

/** Packages that stay when the next publication adds its own. A run leaves damaged ones out. */
async function keptPackages(
  { changeDump }: CollectionPublication,
  { dump }: Settings,
): Promise<readonly string[]> {
  const packages = (await changeDump?.packages()) ?? [];
  const publications = [...new Set(packages.map(({ until }) => until))];
  const first = dump === undefined ? 0 : publications.length - dump.changes + 1;
  const newest = publications.slice(Math.max(0, first));
  const kept: string[] = [];
  for (const one of packages) {
    if (newest.includes(one.until) && (await changeDump?.has(one))) kept.push(one.name);
  }
  return kept;
}

/** Empty where they cannot be read: a run writes the list anew. */
async function capabilitiesIn(output: string, folder: string): Promise<readonly Entry[]> {
  const document = new StoredDocument(new FolderStore(output), folder + CAPABILITY_LIST);
  try {
    return (await document.readOurs("capability-list"))?.entries ?? [];
  } catch (error) {
    if (error instanceof EmitError) return [];
    throw error;
  }
}
