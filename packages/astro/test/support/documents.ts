import { documentsOf } from "../../../core/test/support/site.ts";

/** The paths of the resources that a publication lists. */
export function resourcesIn(folder: string, site: string, collection = ""): string[] {
  const list = documentsOf(folder, site).get(`${site}${collection}resourcelist.xml`);
  return (list?.entries ?? []).map(({ loc }) => loc.slice(new URL(site).origin.length)).sort();
}
