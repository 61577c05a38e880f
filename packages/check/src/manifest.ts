import { buffer } from "node:stream/consumers";
import { READ_LIMITS } from "@rs-emit/documents";
import { fromBufferPromise } from "yauzl";

const MANIFEST = "manifest.xml";

/**
 * The manifest at the top of a ZIP file (ResourceSync 1.1, sections 11.2 and 13.2); `undefined` where there
 * is none, or it cannot be read.
 */
export async function manifestIn(zip: Uint8Array): Promise<Uint8Array | undefined> {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  try {
    const opened = await fromBufferPromise(bytes, { lazyEntries: true });
    for await (const entry of opened.eachEntry()) {
      if (entry.fileName !== MANIFEST) continue;
      if (entry.uncompressedSize > READ_LIMITS.bytes) return undefined;
      return await buffer(await opened.openReadStreamPromise(entry));
    }
    return undefined;
  } catch (error) {
    // The libraries that read ZIP files throw plain errors.
    if (error instanceof Error && error.name === "Error") return undefined;
    throw error;
  }
}
