import { join } from "node:path";
import type { Candidate, InventoryRequest } from "./candidates.ts";
import {
  type DigestReader,
  digestReader,
  type FileDigest,
  type KnownDigest,
} from "./file-digest.ts";
import { SecondReader } from "./second-reader.ts";

const NO_BYTES = new Uint8Array();

/** Reads candidates in order; with a second thread where there are many, and most need no more than a digest. */
export class CandidateReader {
  readonly #folder: string;
  readonly #isKnown: (candidate: Candidate, digest: KnownDigest) => boolean;
  readonly #digestOf: DigestReader;
  readonly #second: SecondReader | undefined;

  /** @param isKnown whether a page's digest tells all that is asked of it */
  constructor(
    candidates: readonly Candidate[],
    { folder, link, digestOf }: Pick<InventoryRequest, "folder" | "link" | "digestOf">,
    isKnown: (candidate: Candidate, digest: KnownDigest) => boolean,
  ) {
    this.#folder = folder;
    this.#isKnown = isKnown;
    this.#digestOf = digestOf ?? digestReader();
    const isAlone = link || digestOf !== undefined;
    this.#second = isAlone
      ? undefined
      : SecondReader.start(candidates.map(({ file }) => join(folder, file)));
  }

  /** @throws {EmitError} `UNREADABLE_FILE` */
  read(at: number, candidate: Candidate): FileDigest {
    const digest = this.#second?.digestOf(at);
    if (digest !== undefined && this.#isKnown(candidate, digest)) {
      return { ...digest, head: NO_BYTES };
    }
    return this.#digestOf(join(this.#folder, candidate.file), candidate.file);
  }

  stop(): void {
    this.#second?.stop();
  }
}
