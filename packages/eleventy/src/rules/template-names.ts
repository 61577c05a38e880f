import { posix } from "node:path";

/** What Eleventy calls a template by. */
export interface TemplateNames {
  /** Its folder below the input folder; empty for that itself. */
  readonly folder: string;
  /** Its file's name without the template's extension. */
  readonly base: string;
  /** Eleventy's `page.fileSlug`. */
  readonly fileSlug: string;
  /** Eleventy's `page.filePathStem`. */
  readonly filePathStem: string;
}

/**
 * The names of a template. Unlike the file it is written to by default, slug and stem have no date.
 *
 * @param path below the input folder
 * @param withoutExtension drops the extension of a template from a file's name
 */
export function templateNames(
  path: string,
  withoutExtension: (name: string) => string,
): TemplateNames {
  const { dir: folder, base: name } = posix.parse(path);
  const base = withoutExtension(name);
  const slug = withoutDate(base);
  return {
    folder,
    base,
    fileSlug: slug === "index" ? withoutDate(posix.basename(folder)) : slug,
    filePathStem: posix.join("/", folder, slug),
  };
}

/** The file that a template without a permalink is written to. */
export function defaultFile({ folder, base }: TemplateNames, extension: string): string {
  if (extension !== "html") return posix.join(folder, `${base}.${extension}`);
  const isFolderItself = base === "index" || base === posix.basename(folder);
  return posix.join(folder, isFolderItself ? "" : base, "index.html");
}

function withoutDate(slug: string): string {
  return /\d{4}-\d{2}-\d{2}-(.*)/.exec(slug)?.[1] ?? slug;
}
