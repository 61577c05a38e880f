import { slug } from "github-slugger";

/** The id that Astro gives to an entry by its path below its collection's folder. */
export function entryId(path: string): string {
  const segments = path.replace(/\.[^./]+$/, "").split("/");
  const id = segments.map((segment) => slug(segment)).join("/");
  return id.replace(/\/index$/, "");
}
