import { createHash, type Hash } from "node:crypto";
import type { Metadata } from "@rs-emit/documents";

export interface ListedDigest {
  readonly algorithm: Algorithm;
  readonly hex: string;
}

type Algorithm = (typeof ALGORITHMS)[number]["name"];

/** Strongest first. The older ones suffice to tell two versions apart. */
const ALGORITHMS = [
  { name: "sha256", form: /^sha-?256:([\da-f]{64})$/ },
  { name: "sha512", form: /^sha-?512:([\da-f]{128})$/ },
  { name: "sha1", form: /^sha-?1:([\da-f]{40})$/ },
  { name: "md5", form: /^md5:([\da-f]{32})$/ },
] as const;

/** The strongest known digest of an attribute `hash` (ResourceSync 1.1, section 7), if any. */
export function listedDigest(attribute: string | undefined): ListedDigest | undefined {
  const tokens = attribute?.toLowerCase().split(/\s+/) ?? [];
  for (const { name: algorithm, form } of ALGORITHMS) {
    for (const token of tokens) {
      const hex = form.exec(token)?.[1];
      if (hex !== undefined) return { algorithm, hex };
    }
  }
  return undefined;
}

/**
 * Compares attributes `hash`: they contradict each other if an algorithm that both name differs, and agree if both name
 * one and none differs. Otherwise they say nothing.
 */
export function compareDigests(
  one: string | null | undefined,
  other: string | null | undefined,
): "agree" | "contradict" | undefined {
  const digests = byAlgorithm(one ?? "");
  let common: "agree" | undefined;
  for (const [algorithm, digest] of byAlgorithm(other ?? "")) {
    const known = digests.get(algorithm);
    if (known !== undefined && known !== digest) return "contradict";
    if (known !== undefined) common = "agree";
  }
  return common;
}

/** The digests of an attribute `hash`, each in one spelling. */
export function digestsIn(hash: string | null | undefined): string[] {
  return [...byAlgorithm(hash ?? "")].map(([algorithm, digest]) => `${algorithm}:${digest}`);
}

/** Sources also write `sha256:` for `sha-256:`. */
function byAlgorithm(attribute: string): Map<string, string> {
  const tokens = attribute.toLowerCase().split(/\s+/).filter(Boolean);
  return new Map(
    tokens.map((token) => {
      const colon = token.indexOf(":");
      return [token.slice(0, Math.max(colon, 0)).replaceAll("-", ""), token.slice(colon + 1)];
    }),
  );
}

/** What a list states of the bytes of a resource. */
export interface ListedBytes {
  /** Digests, in one spelling. */
  readonly hash: string | null;
  /** Bytes. */
  readonly length: number | null;
}

export function listedIn({ hash, length }: Pick<Metadata, "hash" | "length"> = {}): ListedBytes {
  return {
    hash: hash?.trim().toLowerCase().replace(/\s+/g, " ") ?? null,
    length: length !== undefined && /^\d{1,15}$/.test(length.trim()) ? Number(length) : null,
  };
}

export class DigestedBytes implements AsyncIterable<Uint8Array> {
  length = 0;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #sha256 = createHash("sha256");
  readonly #listed: ListedDigest | undefined;
  readonly #other: Hash | undefined;

  constructor(source: AsyncIterable<Uint8Array>, listed: ListedDigest | undefined) {
    this.#source = source;
    this.#listed = listed;
    const isOther = listed !== undefined && listed.algorithm !== "sha256";
    this.#other = isOther ? createHash(listed.algorithm) : undefined;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#source) {
      this.length += chunk.length;
      this.#sha256.update(chunk);
      this.#other?.update(chunk);
      yield chunk;
    }
  }

  finish(): { readonly sha256: string; readonly isAsListed: boolean } {
    const sha256 = this.#sha256.digest("hex");
    const listed = this.#other?.digest("hex") ?? sha256;
    return { sha256, isAsListed: this.#listed === undefined || this.#listed.hex === listed };
  }
}
