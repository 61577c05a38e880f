import type { Entry } from "@rs-emit/documents";
import { type Digest, sha256In } from "../model/digest.ts";
import { EmitError } from "../model/errors.ts";
import { CHANGE_DUMP, isPackageName } from "../model/layout.ts";
import type { CollectionStore } from "./collection-store.ts";
import type { StoredDocument } from "./stored-document.ts";

/** A package of a published Change Dump: the changes after `from`, up to `until`. */
export interface ChangePackage extends Digest {
  /** In the collection's folder. */
  readonly name: string;
  readonly from: number;
  readonly until: number;
}

/** A dump is no memory: what cannot be read of it is left out, and stops no run. */
export class PublishedChangeDump {
  readonly #place: CollectionStore;

  constructor(place: CollectionStore) {
    this.#place = place;
  }

  /** The packages in order, the newest last; none where the document cannot be read. */
  async packages(): Promise<readonly ChangePackage[]> {
    const document = this.#place.document(CHANGE_DUMP);
    const packages = await orNothing(async () => {
      const parsed = await document.readOurs("change-dump");
      return parsed?.entries.flatMap((entry) => this.#packageOf(document, entry) ?? []);
    });
    return packages ?? [];
  }

  #packageOf(document: StoredDocument, { loc, metadata = {} }: Entry): ChangePackage | undefined {
    const hash = sha256In(metadata.hash);
    const base = this.#place.publishedUrl;
    const name = loc.startsWith(base) ? loc.slice(base.length) : "";
    if (!isPackageName(name) || hash === undefined) return undefined;
    return {
      name,
      hash,
      length: Number(metadata.length),
      from: document.requiredTime("from", metadata.from),
      until: document.requiredTime("until", metadata.until),
    };
  }

  /** Whether a package is there as it was published. From a live site it is downloaded. */
  async has({ name, hash, length }: ChangePackage): Promise<boolean> {
    const found = await orNothing(() => this.#place.document(name).digest(hash));
    return found?.hash === hash && found.length === length;
  }
}

async function orNothing<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof EmitError) return undefined;
    throw error;
  }
}
