import { decoded } from "@rs-emit/reader";

/**
 * Which file of a copy holds a resource. Every URL has a file name, and every file name gives its URL
 * back, so that a copy can be read without the list that it was made from.
 *
 * Segments are decoded where encoding gives the same text back; `/` at the end is `index.html`. What a
 * system could not hold, could mix up, or would obey, is marked by `%~`: no encoded URL has these two
 * characters together.
 *
 * | mark | stands for |
 * |---|---|
 * | `about%~n2` | `about`, whose name another file or folder has taken: the same one, or one that some system takes for it |
 * | `index.html%~i` | `index.html` itself, since `/` is `index.html` |
 * | `page%~qx%3D1` | `page?x=1` |
 * | `%~e%2Egit` | a whole segment, encoded: see `isSafe` |
 * | `long…%~+/%~+rest` | a folder that holds the rest of a name that is too long |
 * | `%~hcdn.example.org/` | what is not below the site's URL, by its host; `%~hhttp%3A%2F%2F…` where the scheme is another one |
 */

export interface TakenName {
  readonly kind: "file" | "folder";
  readonly path: string;
}

type TakenNames = (folded: string) => TakenName | undefined;

const MARK = "%~";
const PIECE = `${MARK}+`;
const INDEX = "index.html";

/** Bytes of a name that file systems hold: 255, less room for a mark. */
const LONGEST = 200;

/** The only name with a dot before it: RFC 8615. Others hide files, and configure programs (`.git`, `.htaccess`). */
const WELL_KNOWN = ".well-known";

/** Names of files and folders, folded, that a system or a program obeys. */
const OBEYED = [
  /^[.-]/, // hidden files, and options of commands: `rm *`
  /[.\s]$/, // ends that Windows drops
  /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com\d|lpt\d) *(?:\.|$)/, // devices of Windows
  /~\d/, // short names of Windows: `.git` is `GIT~1`, too
  /^(?:desktop\.ini|autorun\.inf|web\.config)$/,
  /^head$/, // A folder with it, `objects` and `refs` is a repository to git.
];

/** Characters that some file system does not hold, and invisible ones. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\\/:*?"<>|%]/u;

/** How names are compared that some file system, or some program, takes for one: without case and compatible forms. */
export function foldedPath(path: string): string {
  const lower = path.normalize("NFKC").toLowerCase();
  // Not all that is equal in upper case is so in lower case (`ß` and `ss`, `ı` and `i`), nor the reverse (`ẞ` and `ß`).
  return lower.toUpperCase().toLowerCase().normalize("NFKC");
}

/**
 * The file of a resource, below the copy's folder.
 *
 * @param url absolute and normalized, without a fragment
 * @param site the URL of the copied site; ends with a slash
 * @param taken the names of other resources
 */
export function fileOf(url: string, site: string, taken: TakenNames = () => undefined): string {
  const names = fileNamesOf(url, site);
  let path = "";
  for (const [at, name] of names.entries()) {
    const kind = at === names.length - 1 ? "file" : "folder";
    path = freeName(path, name, kind, taken);
  }
  return path;
}

function fileNamesOf(url: string, site: string): string[] {
  const { origin } = new URL(url);
  const isBelow = url.startsWith(site);
  const rest = url.slice(isBelow ? site.length : origin.length + 1);
  const mark = rest.indexOf("?");
  const path = mark < 0 ? rest : rest.slice(0, mark);
  const query = mark < 0 ? "" : `${MARK}q${encode(rest.slice(mark + 1))}`;
  const folders = path.split("/").map(segmentName);
  const last = folders.pop() ?? "";
  const name =
    path === "" || path.endsWith("/")
      ? INDEX
      : last.toLowerCase() === INDEX
        ? `${last}${MARK}i`
        : last;
  const host = isBelow ? [] : [hostFolder(origin, site)];
  return [...host, ...folders, name + query].flatMap(nameParts);
}

function hostFolder(origin: string, site: string): string {
  const scheme = `${new URL(site).protocol}//`;
  const name = origin.startsWith(scheme) ? origin.slice(scheme.length) : origin;
  return `${MARK}h${encodeURIComponent(name).replaceAll(/~|\.$/g, percentEncoded)}`;
}

/** The name of one segment: decoded, where that can be undone and no system minds. */
function segmentName(segment: string): string {
  const name = decoded(segment);
  const isPlain = name !== undefined && encodedSegment(name) === segment && isSafe(name);
  return isPlain ? name : `${MARK}e${encode(segment)}`;
}

/** Whether every system and program takes a name for one of a plain file, and for no other name. */
function isSafe(name: string): boolean {
  if (name === WELL_KNOWN) return true;
  const folded = foldedPath(name);
  return name !== "" && !UNSAFE.test(folded) && !OBEYED.some((form) => form.test(folded));
}

/** A segment as RFC 3986, section 3.3, spells it: only what it must encode is encoded. */
function encodedSegment(name: string): string {
  return encodeURIComponent(name).replaceAll(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}

/** Text as letters, digits and few signs, so that any file system holds it. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[.*~]/g, percentEncoded);
}

function percentEncoded(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** A name that is too long as folders with its beginnings, and a file with its end. */
function nameParts(name: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const character of name) {
    if (Buffer.byteLength(piece + character) > LONGEST) {
      pieces.push(`${piece}${PIECE}`);
      piece = PIECE;
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** A name in a folder that nothing else has, in any spelling; a folder may be there already. */
function freeName(
  folder: string,
  name: string,
  kind: TakenName["kind"],
  taken: TakenNames,
): string {
  for (let number = 1; ; number += 1) {
    const path = folder + name + (number === 1 ? "" : `${MARK}n${number}`);
    const found = taken(foldedPath(path));
    const isFree =
      found === undefined || (kind === "folder" && found.kind === "folder" && found.path === path);
    if (isFree) return kind === "folder" ? `${path}/` : path;
  }
}
