import { readFileSync, statSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ParseError } from "jsonc-parser";
import { CommandError, oneLine } from "./errors.ts";
import type { Config } from "./index.ts";

export interface ConfigFile {
  readonly file: string;
  readonly config: Config;
}

const ENDINGS = [".ts", ".js", ".mjs", ".json"];
export const NAMES = ENDINGS.map((ending) => `rs-emit.config${ending}`);

const PLACES = ["auto", "output", "site", "none"];

/**
 * Finds the given config, else the first in the working directory, beside the site, or in the site.
 * @throws {CommandError} if the given config is missing, or a folder has two
 */
export function findConfig(asked: string | undefined, site: string | undefined) {
  if (asked !== undefined) return requireConfig(resolve(asked));
  const folders = [resolve(), ...(site === undefined ? [] : [resolve(site, ".."), resolve(site)])];
  for (const folder of folders) {
    const found = NAMES.map((name) => resolve(folder, name)).filter(isFile);
    if (found.length > 1) {
      throw new CommandError({
        code: "CONFIG_AMBIGUOUS",
        problem: `There are two configs where one is meant: ${found.join(" and ")}.`,
        cure: "Remove one of them, or choose with --config.",
        option: "config",
      });
    }
    if (found.length === 1) return found[0];
  }
  return undefined;
}

/** @throws {CommandError} if it cannot be run, or exports no config */
export async function readConfig(file: string): Promise<ConfigFile> {
  const config = await load(file);
  if (!isConfig(config)) {
    const cure =
      extname(file) === ".json"
        ? 'Write one object, such as { "url": "https://example.org/" }.'
        : "Write: export default { url: 'https://example.org/' };";
    const problem = `The config ${file} gives no options.`;
    throw new CommandError({ code: "CONFIG_EXPORT", problem, cure });
  }
  // For editors.
  const { $schema: _, ...options } = config;
  return { file, config: { ...options, ...absolutePaths(options, dirname(file)) } };
}

async function load(file: string): Promise<unknown> {
  try {
    switch (extname(file)) {
      case ".json":
        return await readJson(file);
      case ".ts":
        return await loadTypeScript(file);
      default:
        return await loadJavaScript(file);
    }
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new CommandError({
      code: "CONFIG_BROKEN",
      problem: `The config ${file} cannot be read. ${oneLine(reason).replace(/\.?$/, ".")}`,
      cure: "Correct it there.",
      cause: error,
    });
  }
}

/** @throws {SyntaxError} with the line and the column of the first mistake */
async function readJson(file: string): Promise<unknown> {
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const { decodeText } = await import("@rs-emit/documents");
  const text = decodeText(readFileSync(file));
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first === undefined) return value;
  const before = text.slice(0, first.offset).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
  const mistake = printParseErrorCode(first.error).replaceAll(
    /\B[A-Z]/g,
    (letter) => ` ${letter.toLowerCase()}`,
  );
  throw new SyntaxError(`${mistake} at ${place}`);
}

async function loadJavaScript(file: string): Promise<unknown> {
  if (await isUtf16(readFileSync(file))) return loadTypeScript(file);
  try {
    return (await import(pathToFileURL(file).href)).default;
  } catch (error) {
    const isMissing = error instanceof Error && /package 'rs-emit'/.test(error.message);
    if (isMissing) return loadTypeScript(file);
    throw error;
  }
}

/** Under npx, rs-emit may not be installed beside the config: its import resolves to the running copy. */
async function loadTypeScript(file: string): Promise<unknown> {
  const { createJiti } = await import("jiti");
  const alias = { "rs-emit": fileURLToPath(new URL("./index.js", import.meta.url)) };
  const jiti = createJiti(file, { alias, fsCache: false });
  const bytes = readFileSync(file);
  if (await isUtf16(bytes)) {
    const { decodeText } = await import("@rs-emit/documents");
    // Neither Node nor jiti reads such a file itself. In CommonJS, all exports are the config.
    const module: unknown = await jiti.evalModule(decodeText(bytes), {
      filename: file,
      async: true,
    });
    return hasDefault(module) ? module.default : module;
  }
  const module = await jiti.import(file);
  return hasDefault(module) ? module.default : undefined;
}

function hasDefault(module: unknown): module is { readonly default: unknown } {
  return typeof module === "object" && module !== null && "default" in module;
}

async function isUtf16(bytes: Uint8Array): Promise<boolean> {
  const { markedEncoding } = await import("@rs-emit/documents");
  return markedEncoding(bytes)?.startsWith("utf-16") === true;
}

/** The options are validated later, together with those of the command line. */
function isConfig(value: unknown): value is Config & { readonly $schema?: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function absolutePaths(
  { folder, sourceFolder, sourceMap, previous }: Config,
  base: string,
): Config {
  const isPath = typeof previous === "string" && previous !== "" && !PLACES.includes(previous);
  return {
    ...(typeof folder === "string" && folder !== "" ? { folder: resolve(base, folder) } : {}),
    ...(typeof sourceFolder === "string" && sourceFolder !== ""
      ? { sourceFolder: resolve(base, sourceFolder) }
      : {}),
    ...(typeof sourceMap === "string" && sourceMap !== ""
      ? { sourceMap: resolve(base, sourceMap) }
      : {}),
    ...(isPath ? { previous: resolve(base, previous) } : {}),
  };
}

function requireConfig(file: string): string {
  if (!ENDINGS.includes(extname(file))) {
    throw new CommandError({
      code: "CONFIG_NAME",
      problem: `The config ${file} has a name that does not end in ${ENDINGS.join(", ")}.`,
      cure: "Rename it, or name another with --config.",
      option: "config",
    });
  }
  if (isFile(file)) return file;
  throw new CommandError({
    code: "CONFIG_MISSING",
    problem: `There is no config file ${file}.`,
    cure: "Check the option --config, or leave it out.",
    option: "config",
  });
}

/** Links are followed. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false; // Node 20 fails where a folder on the way is a file.
  }
}
