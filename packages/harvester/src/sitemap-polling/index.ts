export { type ComparedLists, compareLists, storeComparison } from "./compare-lists.ts";
export { type Besides, besidesIn, findBesides, NoListError } from "./find-lists.ts";
export { type ComparedPages, withoutCompared } from "./leave-out-reported.ts";
export { notesOnPolling, remarksOn, SEEN_BY_COMPARING } from "./notices.ts";
export { missingPages } from "./polled-page.ts";
export { confirmGone, type PollingRow, pollingOf } from "./polling.ts";
export { type ListsFacts, readLists } from "./read-site.ts";
export { type Polled, recallPolling } from "./recall.ts";
