import { type Entry, openPromise } from "yauzl";

/** A file of a package, as another program reads it. */
export interface UnzippedFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly entry: Entry;
}

/** The files of a ZIP file, in its order; sizes and checksums are compared. */
export async function unzip(path: string): Promise<UnzippedFile[]> {
  const zip = await openPromise(path, { lazyEntries: true, strictFileNames: true });
  const files: UnzippedFile[] = [];
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
    files.push({ name: entry.fileName, bytes: Buffer.concat(chunks), entry });
  }
  return files;
}
