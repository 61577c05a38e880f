import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DocumentError } from "@rs-emit/documents";
import { unpacked, unpackedBeginning } from "@rs-emit/documents/check";
import { manifestIn } from "../../packages/documents/src/check/manifest.ts";
import { HarvestError } from "../../packages/harvester/src/errors.ts";
import { openBody } from "../../packages/harvester/src/http/body.ts";
import { toFetchError } from "../../packages/harvester/src/http/errors.ts";
import { FETCH_LIMITS } from "../../packages/harvester/src/http/limits.ts";
import { Package, packageError } from "../../packages/harvester/src/sync/package.ts";
import { PACKED_BOUNDS } from "../bounds.ts";
import { type Reader, wordsOf } from "../reader.ts";
import { drained, piecesOf } from "./answers.ts";

const PLACE = "https://example.org/resourcedump.zip";
/** As many bytes of a file as a check of a folder looks at. */
const BEGINNING = 4096;

const folder = mkdtempSync(join(tmpdir(), "rs-emit-fuzz-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const READER: Reader = {
  name: "zip",
  reads: "packages of dumps and their manifests, and what is packed by gzip",
  bounds: PACKED_BOUNDS,
  functions: [
    { name: "Package", throws: [HarvestError], run: readPackage },
    { name: "manifestIn", throws: [], run: manifestIn },
    { name: "unpacked", throws: [DocumentError], run: unpacked },
    {
      name: "unpackedBeginning",
      throws: [],
      run: (bytes) => unpackedBeginning(bytes.subarray(0, BEGINNING)),
    },
    {
      name: "openBody",
      throws: [HarvestError],
      run: async (bytes) => readBody(bytes, undefined),
    },
    {
      name: "openBody of gzip",
      throws: [HarvestError],
      run: async (bytes) => readBody(bytes, "gzip"),
    },
    {
      name: "openBody of br",
      throws: [HarvestError],
      run: async (bytes) => readBody(bytes, "br"),
    },
  ],
  words: wordsOf("zip"),
};

export default READER;

async function readPackage(bytes: Uint8Array): Promise<void> {
  const path = join(folder, "package.zip");
  writeFileSync(path, bytes);
  using opened = await Package.open(PLACE, path);
  for await (const file of opened.files()) {
    try {
      await drained(await file.open());
    } catch (error) {
      // As the copy does, which reads files.
      throw packageError(PLACE, error);
    }
  }
}

/** As an answer's body is read. */
async function readBody(bytes: Uint8Array, coding: string | undefined): Promise<void> {
  try {
    await drained(openBody(PLACE, piecesOf(bytes), coding, FETCH_LIMITS.bytes, true));
  } catch (error) {
    throw toFetchError(PLACE, error);
  }
}
