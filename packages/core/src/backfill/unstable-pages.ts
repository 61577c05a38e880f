import { urlKey } from "@rs-emit/documents";
import type { Inventory, Resource } from "../model/resources.ts";
import { compareVersions } from "../model/versions.ts";

/** Pages that differ each time they are built, though nobody changed anything. */
export interface UnstablePages {
  readonly content: readonly string[];
  /** URLs of pages where only markup differs, such as a time in the footer. */
  readonly markup: readonly string[];
  /** Whether an update cannot come from the new build alone. */
  isCertain(update: { readonly url: string; readonly minor: boolean }): boolean;
}

export function unstablePages(one: Inventory, other: Inventory): UnstablePages {
  const others = new Map(other.resources.map((resource) => [urlKey(resource.url), resource]));
  const verdicts = new Map(
    one.resources.map((resource) => {
      return [urlKey(resource.url), verdictOn(resource, others.get(urlKey(resource.url)))];
    }),
  );
  const having = (verdict: string) => {
    return one.resources
      .map(({ url }) => url)
      .filter((url) => verdicts.get(urlKey(url)) === verdict);
  };
  const [content, markup] = [having("full"), having("minor")];
  // What most pages have comes from the layout, so pages that are gone today had it too.
  const isLayout = content.length + markup.length > one.resources.length / 2;
  return {
    content,
    markup,
    isCertain({ url, minor }) {
      const verdict = verdicts.get(urlKey(url)) ?? (isLayout ? "minor" : "same");
      return minor ? verdict === "same" : verdict !== "full";
    },
  };
}

function verdictOn(resource: Resource, again: Resource | undefined) {
  return again === undefined ? "full" : compareVersions(again, resource);
}
