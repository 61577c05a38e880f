import type { SourceEvent } from "./events.ts";
import type { GitEvidence } from "./evidence.ts";
import type { Commit, FileChange } from "./git/history.ts";
import { pathName } from "./git/path-key.ts";
import { hiddenPages } from "./hidden.ts";
import type { VersionedSources } from "./sources/versioned.ts";
import type { SourceHistory, TellRequest } from "./tell.ts";
import { markHidden, type Unsaved, uncommittedEvents } from "./uncommitted.ts";
import { VersionFacts } from "./versions/facts.ts";
import { Naming } from "./versions/naming.ts";
import { Replay } from "./versions/replay.ts";
import { standingSources } from "./versions/standing-sources.ts";

/** Tells the history of pages whose URL and visibility are those of each version of their source. */
export async function tellByVersion(
  evidence: GitEvidence,
  sources: VersionedSources,
  request: TellRequest,
): Promise<SourceHistory> {
  const { history, repository } = evidence;
  const facts = await readFacts(evidence, sources);
  const edits = standingEdits(evidence, sources, facts);
  const everything = [...history.map(([, changes]) => changes), edits];
  const standing = standingSources(sources.rules, facts, everything, sources.pagesOf);
  const replay = new Replay(sources.rules, facts, new Naming(standing));
  const teller = new Teller(sources, replay, request);
  const commits = history.map(([commit, changes]) => teller.commit(commit, changes));
  const unsaved = uncommittedEvents(repository, teller.tell(edits), request.now);
  const isTold = untoldFilter(replay, request);
  const times = history.map(([{ time }]) => time);
  return {
    commits: [...commits, ...unsaved]
      .map((events) => markHidden(events, facts.hidden).filter(isTold))
      .filter((events) => events.length > 0),
    newest: times.length === 0 ? undefined : times.reduce((one, other) => Math.max(one, other)),
    hasUncommitted: unsaved.length > 0,
    unknown: [...replay.untold.keys()]
      .filter((key) => sources.pagesOf(key).length === 0)
      .map(pathName)
      .sort(),
    unread: facts.unread,
  };
}

async function readFacts(
  { history, repository }: GitEvidence,
  { rules }: VersionedSources,
): Promise<VersionFacts> {
  const facts = new VersionFacts(rules, await hiddenPages());
  const versions = history.flatMap(([, changes]) =>
    changes.flatMap(({ path, blob }) =>
      blob === "" || rules.roleOf(path) === undefined ? [] : [{ key: path, blob }],
    ),
  );
  await facts.readCommitted(repository, versions);
  return facts;
}

/** Edits that no commit holds yet, as one more commit. */
function standingEdits(
  { edits, repository }: GitEvidence,
  { rules, datedBy }: VersionedSources,
  facts: VersionFacts,
): FileChange[] {
  return [...edits].flatMap(([path, kind]): FileChange[] => {
    if (rules.roleOf(path) === undefined && datedBy(path) === undefined) return [];
    return [{ path, kind, blob: kind === "removed" ? "" : facts.readStanding(repository, path) }];
  });
}

/** Says what happened to files as what happened to pages. */
class Teller {
  readonly #sources: VersionedSources;
  readonly #replay: Replay;
  readonly #request: TellRequest;

  constructor(sources: VersionedSources, replay: Replay, request: TellRequest) {
    this.#sources = sources;
    this.#replay = replay;
    this.#request = request;
  }

  commit({ time, subject: message }: Commit, changes: readonly FileChange[]): SourceEvent[] {
    return this.tell(changes).map(({ causes: _, ...event }) => ({ ...event, time, message }));
  }

  tell(changes: readonly FileChange[]): Unsaved[] {
    const made = this.#replay.apply(changes).flatMap(({ file, withheld, ...step }): Unsaved[] => {
      const url = this.#request.addressOf(file)?.url;
      return url === undefined ? [] : [{ ...step, url, makesPage: true, hidden: withheld }];
    });
    const changed = changes.flatMap(({ path, kind, blob }): Unsaved[] => {
      const page = this.#sources.datedBy(path);
      const url = page === undefined ? undefined : this.#request.addressOf(page.file)?.url;
      if (page === undefined || url === undefined) return [];
      const { makesPage } = page;
      return [{ url, source: path, kind, blob, makesPage, hidden: false, causes: [path] }];
    });
    return [...made, ...changed];
  }
}

/** Of a page whose source once made what cannot be told, nothing is told: omit rather than invent. */
function untoldFilter({ untold }: Replay, { addressOf }: TellRequest) {
  const urls = new Set(
    [...untold.values()].flatMap((pages) => [...pages].map((page) => addressOf(page)?.url)),
  );
  return ({ url }: SourceEvent) => !urls.has(url);
}
