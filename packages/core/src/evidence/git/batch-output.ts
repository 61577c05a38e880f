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
    const data = this.joined();
    const start = data.indexOf(NEWLINE) + 1;
    if (start === 0) return this.keep(data, data.length + 1);
    const [blob = "", , size] = data.toString("latin1", 0, start - 1).split(" ");
    if (size === undefined) {
      this.keep(data.subarray(start));
      return { blob, bytes: undefined };
    }
    const end = start + Number(size);
    if (data.length <= end) return this.keep(data, end + 1);
    this.keep(data.subarray(end + 1));
    return { blob, bytes: data.subarray(start, end) };
  }

  private joined(): Buffer {
    const [first] = this.pieces;
    return first && this.pieces.length === 1 ? first : Buffer.concat(this.pieces);
  }

  private keep(rest: Buffer, needed = 1): undefined {
    this.pieces = [rest];
    this.length = rest.length;
    this.needed = needed;
  }
}
