import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { decodeText } from "@rs-emit/documents";
import { CommandError, EXIT } from "../errors.ts";
import { askSecret } from "../question.ts";
import type { Streams } from "../terminal.ts";

/** Only the user may read a stored key. */
const OWNER_ALONE = 0o600;

export interface Key {
  readonly value: string;
  /** The file that stored the key, if any. */
  readonly keptIn?: string;
  /** Typed at the prompt of this run. */
  readonly isTyped?: boolean;
}

/** Takes the environment's key, else the stored key, else asks the author. Throws CommandError. */
export async function keyFor(
  site: string,
  streams: Streams,
  { asksAnew }: { readonly asksAnew: boolean },
): Promise<Key> {
  const stated = process.env.NEOCITIES_API_KEY?.trim();
  if (stated) return { value: stated };
  const file = keyFile(site);
  const kept = asksAnew ? undefined : keyIn(file);
  if (kept) return { value: kept, keptIn: file };
  const typed = (
    await askSecret("The site's API key (what you type stays hidden):", streams)
  )?.trim();
  if (typed) return { value: typed, isTyped: true };
  throw new CommandError({
    code: "NEOCITIES_NO_KEY",
    problem: "The site's API key is missing.",
    cure:
      "Make one at https://neocities.org/settings (Manage Site Settings, API Key), and give it in the " +
      "environment variable NEOCITIES_API_KEY; or run once in a terminal with --save-key.",
  });
}

/**
 * Stores a key among the user's configs, for this user alone. Returns the file.
 * @throws {CommandError} if that would be in the site's folder
 */
export function saveKey(site: string, key: string, folder: string): string {
  const file = keyFile(site);
  if (file.startsWith(resolve(folder) + sep)) {
    throw new CommandError({
      code: "NEOCITIES_KEY_IN_SITE",
      problem: `The key would be kept in ${file}, which is in the site's folder.`,
      cure: "Leave --save-key out, or set XDG_CONFIG_HOME to a folder elsewhere.",
      option: "save-key",
    });
  }
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${key}\n`, { mode: OWNER_ALONE });
    // An older file keeps its mode when it is written.
    chmodSync(file, OWNER_ALONE);
  } catch (error) {
    throw new CommandError({
      code: "NEOCITIES_KEY_UNSAVED",
      problem: `The key could not be kept in ${file} (${error instanceof Error ? error.message : error}).`,
      cure: "Make that place writable, or leave --save-key out.",
      option: "save-key",
      exitCode: EXIT.failed,
    });
  }
  return file;
}

/** @param site its name or an address: both have the same file */
function keyFile(site: string): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env;
  const configs = process.platform === "win32" ? APPDATA : XDG_CONFIG_HOME;
  const host = URL.canParse(site) ? new URL(site).hostname : site;
  const name = host.toLowerCase().replace(/\.neocities\.org$/, "");
  const file = `${encodeURIComponent(name)}.key`;
  return resolve(configs || join(homedir(), ".config"), "rs-emit", "neocities", file);
}

function keyIn(file: string): string | undefined {
  try {
    return decodeText(readFileSync(file)).trim();
  } catch {
    return undefined;
  }
}
