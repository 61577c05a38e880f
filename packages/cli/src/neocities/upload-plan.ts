import { inCommitOrder } from "@rs-emit/core";
import type { RemoteFile } from "./api.ts";
import type { LocalFile } from "./files.ts";

export interface NeocitiesLimits {
  /** Of all files together. */
  readonly bytes: number;
  readonly files: number;
  readonly fileBytes: number;
  /** Whether files of any type are accepted. */
  readonly anyType: boolean;
}

export const FREE: NeocitiesLimits = {
  bytes: 1_000_000_000,
  files: 15_000,
  fileBytes: 100_000_000,
  anyType: false,
};
export const SUPPORTER: NeocitiesLimits = {
  bytes: 50_000_000_000,
  files: 100_000,
  fileBytes: 100_000_000,
  anyType: true,
};

/** For one request. Rack, which serves Neocities, accepts 127 files by default. */
const REQUEST = { bytes: 90_000_000, files: 100 };

/** Types that free sites accept; a file without an extension must be text. */
const TYPES =
  /\.(?:asm|apng|atom|avif|bin|cjs|css|csv|dae|eot|epub|geojson|gif|glb|glsl|gltf|gpg|html?|ico|jpe?g|js|json|key|kml|knowl|less|manifest|map|markdown|md|mf|midi?|mjs|mtl|obj|opml|osdx|otf|pdf|pgp|pls|png|rdf|rss|sass|scss|svg|text|toml|ts|tsv|ttf|txt|webapp|webmanifest|webp|woff2?|xcf|xml|ya?ml)$/i;

export interface UploadPlan {
  /** In order: pages and other files, then the documents. */
  readonly requests: readonly (readonly LocalFile[])[];
  readonly unchanged: number;
  /** Only on the site, without `index.html`. */
  readonly surplus: readonly RemoteFile[];
}

export function planUpload(local: readonly LocalFile[], remote: readonly RemoteFile[]): UploadPlan {
  const there = new Map(remote.map((file) => [file.path, file]));
  const here = new Set(local.map(({ path }) => path));
  const changed = local.filter(({ path, sha1 }) => there.get(path)?.sha1 !== sha1);
  const pages = changed.filter(({ isDocument }) => !isDocument);
  const documents = changed.filter(({ isDocument }) => isDocument).sort(inCommitOrder);
  return {
    requests: [...batches(pages), ...batches(documents)],
    unchanged: local.length - changed.length,
    surplus: remote.filter(({ path }) => !here.has(path) && path !== "index.html"),
  };
}

/** A file larger than a request gets its own. */
function batches(files: readonly LocalFile[]): LocalFile[][] {
  const requests: LocalFile[][] = [];
  let room = 0;
  for (const file of files) {
    const last = requests.at(-1);
    if (last !== undefined && last.length < REQUEST.files && file.size <= room) {
      last.push(file);
      room -= file.size;
    } else {
      requests.push([file]);
      room = REQUEST.bytes - file.size;
    }
  }
  return requests;
}

/** Why the site would refuse a file. */
export function refusalOf(file: LocalFile, limits: NeocitiesLimits): "type" | "size" | undefined {
  if (file.size > limits.fileBytes) return "size";
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  if (limits.anyType || file.isDocument || TYPES.test(name)) return undefined;
  // Files without an extension are judged by their bytes: only text is accepted.
  return name.includes(".") ? "type" : undefined;
}

/** Bytes and files beyond the site's limits. */
export function excessOf(
  { requests }: UploadPlan,
  remote: readonly RemoteFile[],
  limits: NeocitiesLimits,
): { readonly bytes: number; readonly files: number } {
  const there = new Map(remote.map((file) => [file.path, file.size]));
  let bytes = remote.reduce((sum, { size }) => sum + size, 0);
  let files = remote.length;
  for (const { path, size } of requests.flat()) {
    bytes += size - (there.get(path) ?? 0);
    if (!there.has(path)) files += 1;
  }
  return { bytes: Math.max(0, bytes - limits.bytes), files: Math.max(0, files - limits.files) };
}
