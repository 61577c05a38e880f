import type { Commit, CommitVisitor, FileChange } from "./history.ts";

const NEWLINE = 10;
const COLON = 58;

/**
 * Understands the records of `git log --raw -z`: a header (`id time subject`), then for each change
 * an entry (`:100644 100644 id id M`, the first after a newline) and a path.
 */
export class LogReading {
  private commit: Commit | undefined;
  private changes: FileChange[] = [];
  private awaitsPath = false;
  // Of the entry whose path comes next; blank ids where there is no file.
  private previous = "";
  private blob = "";
  private readonly boundary: ReadonlySet<string>;
  private readonly prefix: string;
  private readonly visit: CommitVisitor;

  constructor(boundary: ReadonlySet<string>, prefix: string, visit: CommitVisitor) {
    this.boundary = boundary;
    this.prefix = prefix;
    this.visit = visit;
  }

  take(data: Buffer, start: number, end: number): "stop" | undefined {
    if (this.awaitsPath) return this.takePath(data, start, end);
    const first = data[start] === NEWLINE ? start + 1 : start;
    if (data[first] === COLON) return this.takeEntry(data, first, end);
    return first < end ? this.takeHeader(data, first, end) : undefined;
  }

  /** Hands over the commit that is complete. */
  finish(): "stop" | undefined {
    const { commit, changes } = this;
    this.commit = undefined;
    this.changes = [];
    return commit && this.visit(commit, changes);
  }

  private takeHeader(data: Buffer, start: number, end: number): "stop" | undefined {
    if (this.finish() === "stop") return "stop";
    const [id = "", time, ...subject] = data.toString("utf8", start, end).split(" ");
    this.commit = {
      id,
      time: Number(time),
      subject: subject.length > 0 ? subject.join(" ") : undefined,
      boundary: this.boundary.has(id),
    };
    return undefined;
  }

  private takeEntry(data: Buffer, start: number, end: number): undefined {
    this.awaitsPath = true;
    // ":100644 100644 " and " M" surround two ids and a space; ids are longer under SHA-256.
    const width = (end - start - 18) / 2;
    const ids = start + 15;
    const second = ids + width + 1;
    this.previous = isFile(data, start + 1) ? data.toString("latin1", ids, ids + width) : "";
    this.blob = isFile(data, start + 8) ? data.toString("latin1", second, second + width) : "";
  }

  private takePath(data: Buffer, start: number, end: number): undefined {
    this.awaitsPath = false;
    const { previous, blob } = this;
    // A new mode of the same contents, a link, a submodule; or what a shallow clone claims.
    if (blob === previous || this.commit?.boundary) return;
    const path = data.toString("latin1", start, end);
    if (!path.startsWith(this.prefix)) return;
    const kind = previous === "" ? "added" : blob === "" ? "removed" : "modified";
    this.changes.push({ path, kind, blob });
  }
}

/** Whether a mode is 100644 or 100755, not a link (120000), submodule (160000) or nothing. */
function isFile(data: Buffer, mode: number): boolean {
  return data[mode] === 0x31 && data[mode + 1] === 0x30;
}
