import { digest, type Identified, identify } from "@rs-emit/feeds";
import type { ListedChange, ListReading } from "@rs-emit/reader";

export type IdentifiedChange = Identified<ListedChange> & {
  readonly list: string;
  /** Its list says what a publication is. */
  readonly isOfPublication: boolean;
};

export function identifiedIn(
  { url, changes, hasPublications = false }: ListReading,
  collection: string,
): IdentifiedChange[] {
  return identify(changes, collection).map((change) =>
    Object.assign(change, { list: url, isOfPublication: hasPublications }),
  );
}

/** Names the resource of a change among those of its collection, in 32 hexadecimal digits. */
export function resourceKey({ relativeUrl }: Pick<IdentifiedChange, "relativeUrl">): string {
  return digest(relativeUrl);
}
