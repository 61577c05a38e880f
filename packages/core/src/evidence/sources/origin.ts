import { realpathSync } from "node:fs";
import type { Environment } from "../../environment.ts";
import type { Settings } from "../../options.ts";

/** Who tells what the pages are made from. */
export type Origin =
  /** A builder does, by absolute path. */
  | { readonly kind: "stated"; readonly sourcesOf: (page: string) => readonly string[] }
  /** The paths of the files of another folder do. */
  | { readonly kind: "matched"; readonly source: string }
  /** Nobody does: each page is its own source. */
  | { readonly kind: "own" };

/** Who tells what the pages are made from, by what the author and the builder said. */
export function originOf({ folder, source }: Settings, { sourcesOf }: Environment): Origin {
  if (sourcesOf !== undefined) return { kind: "stated", sourcesOf };
  // One may be named by a link to the other.
  const isOwn = source === undefined || realpathSync(source) === realpathSync(folder);
  return isOwn ? { kind: "own" } : { kind: "matched", source };
}
