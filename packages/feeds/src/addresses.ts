import { lineOf, TEXT_LIMITS } from "./text.ts";

/** A normalized http or https URL of limited length. */
export function webLink(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return /^https?:$/.test(protocol) && href.length <= TEXT_LIMITS.url ? href : undefined;
}

export function readableAddress(url: string, collection?: string): string {
  const folder = collection?.endsWith("/") ? collection : `${collection}/`;
  const isWithin = collection !== undefined && url.startsWith(folder) && url !== folder;
  const address = isWithin ? url.slice(folder.length) : url.replace(/^https?:\/\//i, "");
  return lineOf(decoded(address)) || lineOf(url) || "(no address)";
}

function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}
