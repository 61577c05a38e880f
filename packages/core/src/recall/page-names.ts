import { pageNames, type TitledSite } from "@rs-emit/feeds";
import { describedIn } from "../model/about.ts";
import { ABOUT, beginsAsOurs } from "../model/layout.ts";
import { siteTitle } from "../model/site-title.ts";
import type { CollectionStore } from "./collection-store.ts";
import { readSnapshot } from "./snapshot.ts";

interface NamedPage {
  readonly url: string;
  readonly title?: string | undefined;
}

/** Names the pages of a collection as its feed does. Reads its Resource List for the first page. */
export function pageNamer(place: CollectionStore): (page: NamedPage) => Promise<string> {
  let site: Promise<TitledSite> | undefined;
  return async (page) => {
    site ??= titledSite(place);
    const [name = ""] = pageNames([page], await site);
    return name;
  };
}

async function titledSite(place: CollectionStore): Promise<TitledSite> {
  const { url, folder, store } = place;
  const about = await store.bytes(folder + ABOUT);
  const isOurs = about !== undefined && beginsAsOurs(about);
  const words = isOurs ? describedIn(Buffer.from(about).toString()) : {};
  const pages = (await readSnapshot(place))?.entries.values() ?? [];
  return { url, ...siteTitle({ url, folder, ...words }, [...pages]) };
}
