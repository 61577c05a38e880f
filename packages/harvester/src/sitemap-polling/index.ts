export { type ComparedLists, compareLists, storeComparison } from "./compare-lists.ts";
export { type Besides, besidesIn, findBesides, NoListError } from "./find-lists.ts";
export { type ComparedPages, withoutCompared } from "./known-by-polling.ts";
export { type ListsFacts, readLists } from "./read-site.ts";
export { type Polled, recallPolling } from "./recall.ts";
export { notesOnWatch, remarksOn, SEEN_BY_COMPARING } from "./remarks.ts";
export type { Distrust } from "./trust.ts";
export { confirmGone, type WatchRow, watchOf } from "./watch.ts";
export { missingPages } from "./watched-page.ts";
