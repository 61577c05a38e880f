import { formatDatetime, ListWriter, type WriteLimits } from "@rs-emit/documents";
import { digestChunks } from "../model/digest.ts";
import { changeListName, nextPeriod, type Period, periodOf } from "../model/layout.ts";
import type { Change, ChangeListReference, Log } from "../model/log.ts";
import { CHANGE_LIST_PREFIXES, changeToEntry } from "../model/log-attributes.ts";
import { changeListHead, publicationAttributes } from "./change-lists.ts";

export interface AppendRequest {
  readonly collection: string;
  readonly period: Period;
  readonly time: number;
  readonly limits: Partial<WriteLimits>;
}

export interface AppendedList {
  readonly reference: ChangeListReference;
  /** Absent for a list that stays as it is. */
  readonly chunks?: readonly Uint8Array[];
}

/**
 * A list is closed at the datetime of the first change that does not fit, where the next list begins: no gap,
 * no overlap. One list is in memory at a time.
 * @param changes in log order, none older than the log's last
 */
export function* appendChanges(
  log: Log,
  changes: readonly Change[],
  request: AppendRequest,
): Generator<AppendedList> {
  const taken = new Set<string>();
  for (const reference of log.closed) {
    taken.add(reference.name);
    yield { reference };
  }
  const [first = undefined] = changes;
  const from = log.closed.at(-1)?.until ?? first?.datetime ?? request.time;
  let list = log.open
    ? new OpenListWriter(log.open.name, log.open.from, request)
    : startList(from, taken, request);
  for (const change of log.open?.entries ?? []) list = yield* put(change, list, taken, request);
  for (const change of log.pending) list = yield* put(change, list, taken, request);
  for (const change of changes) list = yield* put(change, list, taken, request);
  yield list.finish();
}

function* put(
  change: Change,
  list: OpenListWriter,
  taken: Set<string>,
  request: AppendRequest,
): Generator<AppendedList, OpenListWriter> {
  if (list.takes(change)) return list;
  taken.add(list.name);
  yield list.finish(change.datetime);
  const next = startList(change.datetime, taken, request);
  // One change is far smaller than any limit.
  if (!next.takes(change)) throw new RangeError(`the limits leave no room for ${change.url}`);
  return next;
}

function startList(
  from: number,
  taken: ReadonlySet<string>,
  request: AppendRequest,
): OpenListWriter {
  const name = changeListName(periodOf(from, request.period), taken);
  return new OpenListWriter(name, from, request);
}

class OpenListWriter {
  readonly name: string;
  readonly #from: number;
  readonly #end: number;
  readonly #writer: ListWriter;

  constructor(name: string, from: number, request: AppendRequest) {
    this.name = name;
    this.#from = from;
    this.#end = nextPeriod(from, request.period);
    const head = changeListHead(request.collection, from, request.time);
    this.#writer = new ListWriter(head, { ...request.limits, prefixes: CHANGE_LIST_PREFIXES });
  }

  takes(change: Change): boolean {
    return change.datetime < this.#end && this.#writer.add(changeToEntry(change));
  }

  finish(until?: number): AppendedList {
    const chunks = this.#writer.finishInChunks(
      until === undefined
        ? {}
        : { until: formatDatetime(until), foreign: publicationAttributes(until) },
    );
    const { name } = this;
    const from = this.#from;
    const digest = digestChunks(chunks);
    return {
      reference: { name, from, until, ...digest },
      chunks,
    };
  }
}
