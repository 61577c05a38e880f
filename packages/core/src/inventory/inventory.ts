import { join } from "node:path";
import type { Link } from "@rs-emit/documents";
import { byDepth } from "../model/collections.ts";
import { digestBytes } from "../model/digest.ts";
import { bytesIfThere } from "../model/file-system.ts";
import type {
  Inventory,
  PageFile,
  Resource,
  UnfinishedPage,
  UnmatchedPattern,
} from "../model/resources.ts";
import { composedKey } from "../model/url.ts";
import type { LinkTemplate } from "../options/settings.ts";
import { contentRule } from "../page/content/content-rule.ts";
import { type InventoryRequest, sortOut, withOnDemand } from "./candidates.ts";
import { duplicateUrlError, emptySiteError } from "./errors.ts";
import { anyOf, fileRules, isPage, unmatched } from "./file-rules.ts";
import { FolderReader } from "./folder-reader.ts";
import { missingFolders } from "./folders.ts";
import { ownLinesIn } from "./own-lines.ts";
import { type FoundFiles, walk } from "./walk.ts";

/** @throws {EmitError} `NO_FOLDER` `EMPTY_SITE` `UNREADABLE_FILE` `DUPLICATE_URL` `CONTENT_SELECTOR` */
export async function takeInventory(request: InventoryRequest): Promise<Inventory> {
  const rule = contentRule(request.content);
  const rules = fileRules(request);
  const found = await walk(request.folder, rules);
  const { candidates, excluded, stale, unreadable } = sortOut(found, request, rules);
  const isEmpty = found.candidates.length + found.excluded.length + request.onDemand.length === 0;
  if (isEmpty && !request.anyFolder) {
    throw emptySiteError(request.folder);
  }
  const reader = new FolderReader(request, rule, rules);
  await reader.readAll(candidates);
  const read = reader.pages;
  const others = otherPages(excluded, request);
  const inventory = {
    resources: byDistinctUrl(read.resources),
    excluded: [...excluded, ...read.excluded],
    stale,
    unreadable,
    missing: missingFolders(request.folder, request.collections),
    unmatched: unmatchedPatterns(found, request),
    unfinished: [...read.unfinished, ...others.unfinished],
    unfit: [...read.unfit, ...others.unfit],
    stated: read.stated,
  };
  const whole = withOnDemand(inventory, request);
  return { ...whole, resources: withLinks(whole.resources, request.site, request.links) };
}

function unmatchedPatterns(found: FoundFiles, request: InventoryRequest): UnmatchedPattern[] {
  const { candidates, excluded, excludedOthers, unreadable } = found;
  const excludable = [...excluded, ...excludedOthers];
  const includable = [...candidates, ...excludable, ...unreadable.map(({ file }) => file)];
  const of = (option: UnmatchedPattern["option"], paths: readonly string[]) =>
    unmatched(request[option], paths).map((pattern) => ({ option, pattern }));
  return [...of("include", includable), ...of("exclude", excludable)];
}

/** Pages that are no resources: they lose the links of rs-emit, and list their collection's changes. */
function otherPages(
  pages: readonly PageFile[],
  { folder, collections, link }: InventoryRequest,
): Pick<Inventory, "unfinished" | "unfit"> {
  const collectionOf = byDepth(collections);
  const unfinished: UnfinishedPage[] = [];
  const unfit: string[] = [];
  for (const { url, file } of pages) {
    const collection = collectionOf(file)?.url;
    const bytes =
      isPage(file) && (link !== undefined || collection)
        ? bytesIfThere(join(folder, file))
        : undefined;
    if (bytes === undefined) continue;
    const digest = digestBytes(bytes);
    const found = { ...digest, head: bytes, isWhole: true };
    const { own, isMarked, isUnfit } = ownLinesIn(file, found, undefined, link);
    const { hash } = digest;
    if (own !== undefined) unfinished.push({ url, file, collection, isResource: false, hash, own });
    if (isUnfit && isMarked) unfit.push(file);
  }
  return { unfinished, unfit };
}

/** An excluded page may be unreadable. */
function byDistinctUrl(resources: Resource[]): Resource[] {
  const fileOf = new Map<string, string>();
  for (const { url, file = "" } of resources) {
    // Two names that look alike are one file on some machines, and a mistake on the others.
    const key = composedKey(url);
    const other = fileOf.get(key);
    if (other !== undefined) throw duplicateUrlError(url, other, file);
    fileOf.set(key, file);
  }
  return resources.sort((a, b) => (a.url < b.url ? -1 : 1));
}

/** ResourceSync 1.1, section 14. `{path}` is the resource's path below the site, as in its URL. */
function withLinks(
  resources: readonly Resource[],
  site: string,
  templates: readonly LinkTemplate[],
): readonly Resource[] {
  if (templates.length === 0) return resources;
  const rules = templates.map((template) => ({ template, matches: anyOf([template.match]) }));
  return resources.map((resource) => {
    const path = resource.url.slice(site.length);
    const links = rules
      .filter(({ matches }) => matches(resource.file ?? path))
      .map(({ template }) => filledLink(template, path));
    return links.length === 0 ? resource : { ...resource, links };
  });
}

function filledLink({ match: _, pri, length, ...link }: LinkTemplate, path: string): Link {
  return {
    ...link,
    href: link.href.replaceAll("{path}", () => path),
    ...(pri === undefined ? {} : { pri: String(pri) }),
    ...(length === undefined ? {} : { length: String(length) }),
  };
}
