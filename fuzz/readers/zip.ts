import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpacked, unpackedBeginning } from "@rs-emit/check";
import { DocumentError } from "@rs-emit/documents";
import { FETCH_LIMITS, HarvestError } from "@rs-emit/reader";
import { openBody } from "@rs-emit/reader/http/body";
import { toFetchError } from "@rs-emit/reader/http/errors";
import { manifestIn } from "../../packages/check/src/served-packages.ts";
import { Package, packageError } from "../../packages/harvester/src/sync/site/zip-package.ts";
import { zipOf } from "../../packages/harvester/test/support/zip.ts";
import { PACKED_BOUNDS } from "../bounds.ts";
import { type Reader, wordsOf } from "../reader.ts";
import { drained, piecesOf } from "./answers.ts";
import { piecesIn } from "./pieces.ts";

const PLACE = "https://example.org/resourcedump.zip";
/** As many bytes of a file as a check of a folder looks at. */
const BEGINNING = 4096;

/** As many files as a package's directory can count, and names as long as it takes in UTF-8. */
const MOST_FILES = 65_535;
const LONGEST_NAME = 32_767;

const folder = mkdtempSync(join(tmpdir(), "rs-emit-fuzz-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const READER: Reader = {
  name: "zip",
  reads: "packages of dumps and their manifests, and what is packed by gzip",
  bounds: PACKED_BOUNDS,
  functions: [
    { name: "Package", throws: [HarvestError], run: readPackage },
    {
      name: "Package of whole files",
      throws: [HarvestError],
      run: (bytes) => readPackage(packed(bytes)),
    },
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

/** A package of the files of an input, whose sizes and places fit: another is refused before it is read. */
function packed(bytes: Uint8Array): Uint8Array {
  const files = piecesIn(bytes).slice(0, MOST_FILES);
  return zipOf(
    files.map(([name, text], at) => ({
      name: name.slice(0, LONGEST_NAME),
      bytes: Buffer.from(text, "latin1"),
      isDeflated: at % 2 === 1,
    })),
  );
}

/** As an answer's body is read. */
async function readBody(bytes: Uint8Array, coding: string | undefined): Promise<void> {
  try {
    await drained(openBody(PLACE, piecesOf(bytes), coding, FETCH_LIMITS.bytes, true));
  } catch (error) {
    throw toFetchError(PLACE, error);
  }
}
