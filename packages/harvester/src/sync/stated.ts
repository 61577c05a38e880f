import type { Metadata } from "@rs-emit/documents";

/** What a list states of the bytes of a resource. */
export interface Stated {
  /** Digests, in one spelling. */
  readonly hash: string | null;
  /** Bytes. */
  readonly length: number | null;
}

export function statedIn({ hash, length }: Pick<Metadata, "hash" | "length"> = {}): Stated {
  return {
    hash: hash?.trim().toLowerCase().replace(/\s+/g, " ") ?? null,
    length: length !== undefined && /^\d{1,15}$/.test(length.trim()) ? Number(length) : null,
  };
}
