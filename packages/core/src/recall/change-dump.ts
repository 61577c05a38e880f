import type { Entry } from "@rs-emit/documents";
import { sha256In } from "../model/digest.ts";
import { EmitError } from "../model/errors.ts";
import { CHANGE_DUMP, isPackageName } from "../model/layout.ts";
import type { ChangePackage, PublishedDump } from "../model/publication.ts";
import type { CollectionStore } from "./collection-store.ts";
import type { StoredDocument } from "./stored-document.ts";

/** A dump is no memory: unreadable parts are skipped and stop no run. */
export class PublishedChangeDump implements PublishedDump {
  readonly #place: CollectionStore;

  constructor(place: CollectionStore) {
    this.#place = place;
  }

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
