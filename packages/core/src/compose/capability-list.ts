import { writeBounded } from "@rs-emit/documents";
import {
  ABOUT,
  CHANGE_LIST_INDEX,
  GENERATOR,
  RESOURCE_LIST,
  SOURCE_DESCRIPTION,
} from "../layout.ts";

/** The Capability List of a collection (ResourceSync 1.1, section 9; IFCC-0001). */
export function composeCapabilityList(site: string, collection: string): Promise<string> {
  return writeBounded({
    root: "urlset",
    comments: [GENERATOR],
    metadata: { capability: "capabilitylist" },
    links: [
      { rel: "up", href: site + SOURCE_DESCRIPTION },
      { rel: "describes", href: collection },
      { rel: "describedby", href: collection + ABOUT },
    ],
    entries: [
      { loc: collection + CHANGE_LIST_INDEX, metadata: { capability: "changelist" } },
      { loc: collection + RESOURCE_LIST, metadata: { capability: "resourcelist" } },
    ],
  });
}
