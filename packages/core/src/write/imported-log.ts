import { formatDatetime, ListWriter, type WriteLimits } from "@rs-emit/documents";
import { digestBytes } from "../model/digest.ts";
import { entryToChange } from "../model/entry-attributes.ts";
import { ADOPTED_LIST } from "../model/layout.ts";
import type { ChangeListReference } from "../model/log.ts";
import { CHANGE_LIST_PREFIXES } from "../model/own-attributes.ts";
import type { ImportedLog } from "../model/publication.ts";
import { changeListHead, IMPORTED, publicationAttributes } from "./change-lists.ts";

export interface ImportedList {
  readonly reference: ChangeListReference & { readonly until: number };
  readonly bytes: Uint8Array;
}

/** The lists are closed: nothing is ever appended to them. */
export function composeImported(
  { collection, entries, changes }: Pick<ImportedLog, "collection" | "entries" | "changes">,
  until: number,
  limits: Partial<WriteLimits>,
): readonly ImportedList[] {
  const lists: ImportedList[] = [];
  const queue = entries.values();
  let from = changes[0]?.datetime ?? until;
  let next = queue.next();
  while (!next.done) {
    const head = changeListHead(collection, from, until);
    const writer = new ListWriter(head, { ...limits, prefixes: CHANGE_LIST_PREFIXES });
    while (!next.done && writer.add(next.value)) next = queue.next();
    // One entry is far smaller than any limit.
    if (writer.entries === 0) throw new RangeError(`the limits leave no room in ${collection}`);
    const end: number = next.done ? until : (entryToChange(next.value)?.datetime ?? from);
    const foreign = [...publicationAttributes(end), ...IMPORTED];
    const bytes = writer.finish({ until: formatDatetime(end), foreign });
    const name = `${ADOPTED_LIST}${lists.length === 0 ? "" : `-${lists.length + 1}`}.xml`;
    lists.push({ reference: { name, from, until: end, ...digestBytes(bytes) }, bytes });
    from = end;
  }
  return lists;
}
