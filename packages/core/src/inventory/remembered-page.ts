import type { PageFacts, PageFile, Representation, Resource } from "../model/resources.ts";
import { isForEngines, UNLISTED } from "../model/search-engines.ts";
import { type ContentRule, isIdentityBy } from "../page/content/content-rule.ts";
import type { InventoryRequest } from "./candidates.ts";
import { isPage } from "./file-rules.ts";

export type RememberedPage = PageFacts &
  Pick<Representation, "noteDigest"> &
  Pick<Resource, "blocks" | "engines" | "headings"> & { readonly url?: string };

/** A page need not be parsed if this run would remember the same: its bytes and options are the same. */
export function rememberedPage(
  { url, file }: PageFile,
  original: string,
  request: InventoryRequest,
  { scheme }: ContentRule,
): RememberedPage | undefined {
  if (!isPage(file)) return {};
  const known = request.known(original, url);
  if (known?.markup === undefined || !isIdentityBy(scheme, known.content)) return undefined;
  if (request.remembers && !known.blocks?.isBy(scheme)) return undefined;
  // From another URL, the same relative link leads to another page.
  if (known.url !== url) return undefined;
  // Only `include` may have made a page of it.
  if (known.engines === UNLISTED) return undefined;
  const mayBeListed = !isForEngines(url, known.engines);
  if (request.movedFrom !== undefined && mayBeListed) return undefined;
  return request.remembers ? known : { ...known, blocks: undefined };
}
