import type { PageAddress, SourceEvent } from "./events.ts";
import type { GitEvidence } from "./evidence.ts";
import { sourceFile } from "./file-times.ts";
import { fileBlobId } from "./git/blob-id.ts";
import { pathName } from "./git/path-key.ts";
import { hiddenVersions } from "./hidden.ts";
import type { Sources } from "./sources/sources.ts";
import type { SourceHistory, TellRequest } from "./tell.ts";
import { markHidden, type Unsaved, uncommittedEvents } from "./uncommitted.ts";

/** Tells the history of pages whose sources made the same page at any time. */
export async function tellByPath(
  evidence: GitEvidence,
  request: TellRequest,
): Promise<SourceHistory> {
  const { sources } = evidence;
  const addresses = new Addresses(sources, request.addressOf);
  const commits: SourceEvent[][] = [];
  let newest: number | undefined;
  for (const [{ time, subject: message }, changes] of evidence.history) {
    newest = Math.max(newest ?? time, time);
    const events: SourceEvent[] = [];
    for (const { path, kind, blob } of changes) {
      const url = addresses.of(path)?.url;
      if (url === undefined) continue;
      const makesPage = sources.makesPage(path);
      events.push({ url, source: path, makesPage, kind, blob, time, message, hidden: false });
    }
    if (events.length > 0) commits.push(events);
  }
  const edits = unsavedEdits(evidence, addresses, request);
  const unsaved = uncommittedEvents(evidence.repository, edits, request.now);
  const { hidden, unread } = await hiddenVersions(evidence.repository, commits);
  return {
    commits: [...commits.map((events) => markHidden(events, hidden)), ...unsaved],
    newest,
    hasUncommitted: unsaved.length > 0,
    unknown: [...addresses.unknown].map(pathName).sort(),
    unread,
  };
}

/** The page of each source, found once. */
class Addresses {
  readonly unknown = new Set<string>();
  readonly #sources: Sources;
  readonly #addressOf: TellRequest["addressOf"];
  readonly #known = new Map<string, PageAddress | undefined>();

  constructor(sources: Sources, addressOf: TellRequest["addressOf"]) {
    this.#sources = sources;
    this.#addressOf = addressOf;
  }

  of(key: string): PageAddress | undefined {
    if (this.#known.has(key)) return this.#known.get(key);
    const made = this.#sources.madeBy(key);
    if (made.kind === "unknown") this.unknown.add(key);
    const address = made.kind === "page" ? this.#addressOf(made.file) : undefined;
    this.#known.set(key, address);
    return address;
  }
}

function unsavedEdits(
  { repository, sources, edits }: GitEvidence,
  addresses: Addresses,
  { isHidden }: TellRequest,
): Unsaved[] {
  return [...edits].flatMap(([source, kind]) => {
    const url = addresses.of(source)?.url;
    if (url === undefined) return [];
    // A file that only moved, or is spelled anew, is what was committed.
    const blob = kind === "removed" ? "" : fileBlobId(repository, sourceFile(repository, source));
    const makesPage = sources.makesPage(source);
    return [{ url, source, makesPage, kind, blob, hidden: isHidden(url), causes: [source] }];
  });
}
