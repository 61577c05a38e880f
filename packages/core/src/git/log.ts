import { eachRecord, readAhead, streamGit } from "./process.ts";
import type { Repository } from "./repository.ts";

export interface FileChange {
  readonly path: string;
  readonly kind: "added" | "modified" | "removed";
  /** Ids of contents: `blob` is empty when removed, `previous` when added. */
  readonly blob: string;
  readonly previous: string;
}

export interface Commit {
  readonly id: string;
  readonly time: number;
  readonly subject: string | undefined;
  /** A shallow clone ends here: git shows every file as added, so changes are unknown. */
  readonly boundary: boolean;
}

export interface LogReader {
  /** Called for each change of a history, so it should be fast. */
  readonly wants?: (path: string, kind: FileChange["kind"]) => boolean;
  /** Receives a commit with its wanted changes, none for a boundary; "stop" ends the reading. */
  readonly visit: (commit: Commit, changes: readonly FileChange[]) => "stop" | undefined;
}

export interface GitLog {
  /**
   * The first-parent line, newest commit first. Changes of mode, links and submodules are left out.
   * @throws {EmitError} `GIT_FAILED` possibly after the visitor was called
   */
  read(reader: LogReader): Promise<void>;
}

const LOG = [
  "log",
  ..."--raw -z --no-abbrev --no-renames --first-parent -m --encoding=UTF-8".split(" "),
];

/** Kept as bytes: 30,000 commits with 68,000 changes take 11 MB, as objects five times as much. */
export function startLog(
  { root, head, boundary }: Repository,
  subjects = false,
  prefix = "",
): GitLog {
  if (head === undefined) return { read: async () => {} };
  const format = subjects ? "--format=%H %ct %s" : "--format=%H %ct";
  const output = readAhead(streamGit(root, [...LOG, format, head, "--"]));
  return {
    read: async (reader) => {
      const parser = new LogParser(boundary, prefix, reader);
      await eachRecord(output, (data, start, end) => parser.take(data, start, end));
      parser.finish();
    },
  };
}

const NEWLINE = 10;
const COLON = 58;

/** Each commit: `id time subject`, then entries: `:100644 100644 id id M` and a path. */
class LogParser {
  private commit: Commit | undefined;
  private changes: FileChange[] = [];
  private entry: Buffer | undefined;
  private entryStart = 0;
  private entryEnd = 0;
  private readonly boundary: ReadonlySet<string>;
  private readonly prefix: string;
  private readonly wants: NonNullable<LogReader["wants"]>;
  private readonly visit: LogReader["visit"];

  constructor(
    boundary: ReadonlySet<string>,
    prefix: string,
    { wants = () => true, visit }: LogReader,
  ) {
    this.boundary = boundary;
    this.prefix = prefix;
    this.wants = wants;
    this.visit = visit;
  }

  take(data: Buffer, start: number, end: number): "stop" | undefined {
    if (this.entry !== undefined) return this.takePath(this.entry, data, start, end);
    const first = data[start] === NEWLINE ? start + 1 : start;
    if (data[first] !== COLON) {
      return first < end ? this.takeHeader(data, first, end) : undefined;
    }
    this.entry = data;
    this.entryStart = first;
    this.entryEnd = end;
    return undefined;
  }

  finish(): "stop" | undefined {
    const { commit, changes } = this;
    this.commit = undefined;
    this.changes = [];
    return commit && this.visit(commit, changes);
  }

  private takeHeader(data: Buffer, start: number, end: number): "stop" | undefined {
    if (this.finish() === "stop") return "stop";
    const header = data.toString("utf8", start, end);
    const [id = "", time] = header.split(" ", 2);
    const subject = id.length + 1 + (time ?? "").length + 1;
    this.commit = {
      id,
      time: Number(time),
      subject: subject <= header.length ? header.slice(subject) : undefined,
      boundary: this.boundary.has(id),
    };
    return undefined;
  }

  private takePath(entry: Buffer, data: Buffer, start: number, end: number): undefined {
    this.entry = undefined;
    if (this.commit?.boundary) return;
    const from = this.entryStart;
    // ":100644 100644 " and " M" surround two ids and a space; SHA-256 ids are longer.
    const width = (this.entryEnd - from - 18) / 2;
    const ids = from + 15;
    const second = ids + width + 1;
    const wasFile = isFileMode(entry, from + 1);
    const isFileNow = isFileMode(entry, from + 8);
    if (!wasFile && !isFileNow) return;
    if (wasFile && isFileNow && areSameBytes(entry, ids, second, width)) return;
    const kind = !wasFile ? "added" : isFileNow ? "modified" : "removed";
    const path = this.prefix + data.toString("latin1", start, end);
    if (!this.wants(path, kind)) return;
    this.changes.push({
      path,
      kind,
      blob: isFileNow ? entry.toString("latin1", second, second + width) : "",
      previous: wasFile ? entry.toString("latin1", ids, ids + width) : "",
    });
  }
}

/** Whether a mode is 100644 or 100755, not a link (120000), submodule (160000) or nothing. */
function isFileMode(data: Buffer, mode: number): boolean {
  return data[mode] === 0x31 && data[mode + 1] === 0x30;
}

function areSameBytes(data: Buffer, one: number, other: number, width: number): boolean {
  for (let index = 0; index < width; index++) {
    if (data[one + index] !== data[other + index]) return false;
  }
  return true;
}
