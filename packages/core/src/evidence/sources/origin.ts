import { realpathSync } from "node:fs";
import type { Builder } from "../../builder.ts";
import type { Environment } from "../../environment.ts";
import type { Settings } from "../../options.ts";

/** Who tells what the pages are made from. */
export type Origin =
  /** A builder does. */
  | { readonly kind: "stated"; readonly builder: Builder }
  /** The paths of the files of another folder do. */
  | { readonly kind: "matched"; readonly source: string }
  /** Nobody does: each page is its own source. */
  | { readonly kind: "own" };

/** Who tells what the pages are made from, by what the author and the builder said. */
export function originOf({ folder, source }: Settings, { builder }: Environment): Origin {
  if (builder !== undefined) return { kind: "stated", builder };
  // One may be named by a link to the other.
  const isOwn = source === undefined || realpathSync(source) === realpathSync(folder);
  return isOwn ? { kind: "own" } : { kind: "matched", source };
}
