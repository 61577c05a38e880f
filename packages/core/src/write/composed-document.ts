/** A document to be published: its bytes, or the copy of one that was published before. */
export type ComposedDocument =
  | { readonly path: string; readonly bytes: Uint8Array }
  | { readonly path: string; readonly copyOf: string };
