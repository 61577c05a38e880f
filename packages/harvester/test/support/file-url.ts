const MARK = "%~";

/**
 * The URL of the resource that a file of a copy holds, as the table in `src/sync/copy/file-name.ts` says.
 * @param site the URL of the copied site; ends with a slash
 * @returns `undefined` for a name that is no resource's
 */
export function urlOfFile(file: string, site: string): string | undefined {
  const segments = file
    .replaceAll(/%~n\d+(?=\/|$)/g, "")
    .replaceAll(`${MARK}+/${MARK}+`, "")
    .split("/");
  const [name = "", query] = (segments.pop() ?? "").split(`${MARK}q`);
  const last = name === "index.html" ? "" : segmentOf(name.replace(/%~i$/, ""));
  const isElsewhere = segments[0]?.startsWith(`${MARK}h`) === true;
  const base = isElsewhere ? hostUrl(segments.shift() ?? "", site) : site;
  const parts = [...segments.map(segmentOf), last];
  const search = query === undefined ? "" : decode(query);
  if (base === undefined || search === undefined || parts.includes(undefined)) return undefined;
  return base + parts.join("/") + (query === undefined ? "" : `?${search}`);
}

function hostUrl(folder: string, site: string): string | undefined {
  const name = decode(folder.slice(MARK.length + 1));
  if (name === undefined) return undefined;
  return `${name.includes("://") ? "" : `${new URL(site).protocol}//`}${name}/`;
}

function segmentOf(name: string): string | undefined {
  if (name.startsWith(`${MARK}e`)) return decode(name.slice(MARK.length + 1));
  if (name === "" || name.includes("%")) return undefined;
  return encodeURIComponent(name).replaceAll(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
