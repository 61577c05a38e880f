import { mimes } from "mrmime";

/** The library lacks three, and calls XML `text/xml`. */
const TYPES: ReadonlyMap<string | undefined, string> = new Map([
  ...Object.entries(mimes),
  ["flac", "audio/flac"],
  ["ico", "image/x-icon"],
  ["shtm", "text/html"],
  ["xml", "application/xml"],
]);

export function mediaType(file: string): string {
  return TYPES.get(file.split(".").at(-1)?.toLowerCase()) ?? "application/octet-stream";
}
