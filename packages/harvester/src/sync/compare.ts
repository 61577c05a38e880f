import { secondsOf } from "@rs-emit/documents";
import { listedDigest } from "@rs-emit/reader";
import type { KnownFile } from "./copy/copy-state.ts";
import type { Need, Wanted } from "./copy/working-set.ts";
import { changedHereError } from "./errors.ts";
import { isDry, type Run } from "./run.ts";

/** Finds out of which resources the bytes are needed, without a look at any bytes. */
export function compare(run: Run): void {
  const { state, working, folder, tally } = run;
  const isDryRun = isDry(run);
  working.needUnknown();
  for (const wanted of working.wantedAndKnown()) {
    const known = state.file(wanted.key);
    if (known === undefined) continue;
    const here = folder.look(known.file);
    const isUnknown = here.found === "nothing" || (isDryRun && known.isPending);
    const need = isUnknown ? "fetch" : needOf(wanted, known);
    if (need !== undefined) working.need(need, wanted);
    else {
      const isOfLength = known.length === null || here.length === known.length;
      if (here.found !== "file" || !isOfLength)
        tally.fail(wanted.url, changedHereError(known.file));
      else {
        tally.counts.unchanged += 1;
        if (!isDryRun) confirm(run, wanted, known);
      }
    }
  }
}

/**
 * Whether a resource must be fetched: by its hash where one is listed, else by the time of its change, its length
 * and `lastmod`. Where nothing of this is listed, its host is asked whether it is as it was.
 */
function needOf(wanted: Wanted, known: KnownFile): Need | undefined {
  const digest = listedDigest(wanted.hash ?? undefined);
  if (digest?.algorithm === "sha256") return digest.hex === known.hash ? undefined : "fetch";
  if (wanted.hash !== null) return wanted.hash === known.listedHash ? undefined : "fetch";
  if (wanted.datetime !== null && wanted.datetime > (known.datetime ?? 0)) return "fetch";
  if (wanted.length !== null && wanted.length !== known.length) return "fetch";
  if (wanted.lastmod !== null) return wanted.lastmod === known.lastmod ? undefined : "fetch";
  return wanted.datetime === null ? "ask" : undefined;
}

/** Notes what is listed of a file that is as it should be, where that is news. */
export function confirm({ state, folder }: Run, wanted: Wanted, known: KnownFile): void {
  const { hash, lastmod, datetime } = wanted;
  const isDated = lastmod !== null && lastmod !== known.lastmod;
  if (isDated) folder.setTime(known.file, secondsOf(lastmod));
  const isNews =
    (hash !== null && hash !== known.listedHash) ||
    isDated ||
    (datetime ?? 0) > (known.datetime ?? 0) ||
    known.isGone;
  if (isNews) state.confirm(wanted.key, { listedHash: hash, lastmod, datetime });
}
