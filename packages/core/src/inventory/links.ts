import type { Link } from "@rs-emit/documents";
import type { Resource } from "../model/resources.ts";
import type { LinkTemplate } from "../options/settings.ts";
import { anyOf } from "./file-rules.ts";

/** ResourceSync 1.1, section 14. `{path}` is the resource's path below the site, as in its URL. */
export function withLinks(
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
      .map(({ template }) => linkOf(template, path));
    return links.length === 0 ? resource : { ...resource, links };
  });
}

function linkOf({ match: _, pri, length, ...link }: LinkTemplate, path: string): Link {
  return {
    ...link,
    href: link.href.replaceAll("{path}", () => path),
    ...(pri === undefined ? {} : { pri: String(pri) }),
    ...(length === undefined ? {} : { length: String(length) }),
  };
}
