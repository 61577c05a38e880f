import {
  capabilityList,
  changeList,
  type Links,
  sourceDescription,
  type TestEntry,
} from "./documents.ts";
import { MemorySite } from "./memory-site.ts";

/** A site with one collection, at `/shrine/`, and one Change List. */
export function shrineSite(
  changes: readonly (string | TestEntry)[],
  describes: Links = [["describes", "./"]],
): MemorySite {
  return new MemorySite().put({
    ".well-known/resourcesync": sourceDescription(["/shrine/capabilitylist.xml"]),
    "shrine/capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }, describes),
    "shrine/changelist.xml": changeList(changes),
  });
}
