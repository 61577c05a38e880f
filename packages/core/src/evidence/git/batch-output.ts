/** The contents of one version of a file. */
export interface Version {
  readonly blob: string;
  /** Undefined where the repository does not have them. */
  readonly bytes: Uint8Array | undefined;
}

const NEWLINE = 10;

/** Takes `git cat-file --batch` apart: `id blob size`, its contents; or `id missing`. */
export class BatchOutput {
  private pieces: Buffer[] = [];
  private length = 0;
  /** As long as less is there, no further version is complete. */
  private needed = 1;

  add(chunk: Buffer): void {
    this.pieces.push(chunk);
    this.length += chunk.length;
  }

  /** The next version, once it is complete. */
  next(): Version | undefined {
    if (this.length < this.needed) return undefined;
    const data =
      this.pieces.length === 1 && this.pieces[0] ? this.pieces[0] : Buffer.concat(this.pieces);
    const start = data.indexOf(NEWLINE) + 1;
    const [blob = "", , size] = data.toString("latin1", 0, start).trimEnd().split(" ");
    const end = size === undefined ? start : start + Number(size);
    const next = size === undefined ? start : end + 1;
    const complete = start > 0 && next <= data.length;
    this.pieces = [complete ? data.subarray(next) : data];
    this.length = complete ? data.length - next : data.length;
    this.needed = complete ? 1 : Math.max(next, data.length + 1);
    return complete
      ? { blob, bytes: size === undefined ? undefined : data.subarray(start, end) }
      : undefined;
  }
}
