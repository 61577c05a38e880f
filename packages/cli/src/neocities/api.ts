import { askHost, reasonOfSilence } from "@rs-emit/core";
import { CommandError, EXIT } from "../errors.ts";
import type { Key } from "./key.ts";

export interface RemoteFile {
  /** Relative to the site's root or the folder, with slashes, without a leading one. */
  readonly path: string;
  readonly size: number;
  /** SHA-1 of the bytes, in hex. */
  readonly sha1: string;
  /** The last upload, UTC seconds. */
  readonly updated: number;
}

export interface SiteInfo {
  readonly name: string;
  /** The site's own domain, if any. */
  readonly domain: string | undefined;
}

export interface Upload {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Milliseconds per request. An upload may have 90 MB. */
const TIMEOUTS = { ask: 60_000, upload: 900_000 };

interface ApiAnswer {
  readonly result?: unknown;
  readonly error_type?: unknown;
  readonly message?: unknown;
  readonly files?: unknown;
  readonly info?: unknown;
}

/** The API of Neocities (https://neocities.org/api). */
export class NeocitiesApi {
  readonly #base: string;
  readonly #key: Key;

  /** @param base ends with a slash */
  constructor(key: Key, base = "https://neocities.org/api/") {
    this.#key = key;
    this.#base = base;
  }

  async info(): Promise<SiteInfo> {
    const { info } = await this.#ask("info");
    const { sitename, domain } = fieldsOf(info);
    return {
      name: String(sitename),
      domain: typeof domain === "string" && domain !== "" ? domain : undefined,
    };
  }

  async list(): Promise<readonly RemoteFile[]> {
    const { files } = await this.#ask("list");
    if (!Array.isArray(files)) throw unclear("list");
    return files.flatMap((file) => {
      const { path, size, sha1_hash, updated_at, is_directory } = fieldsOf(file);
      if (is_directory === true || typeof path !== "string") return [];
      const updated = Date.parse(String(updated_at)) / 1000;
      return [
        {
          path: path.replace(/^\//, ""),
          size: Number(size),
          sha1: String(sha1_hash),
          updated: Number.isNaN(updated) ? 0 : updated,
        },
      ];
    });
  }

  /** Uploads files in one request. The site stores them in this order. */
  async upload(files: readonly Upload[]): Promise<void> {
    const body = new FormData();
    for (const { path, bytes } of files) body.append(path, new Blob([bytes]), path);
    await this.#ask("upload", body, TIMEOUTS.upload);
  }

  /** Deletes files in one request. If one is missing, none is deleted. */
  async delete(paths: readonly string[]): Promise<void> {
    const body = new URLSearchParams();
    for (const path of paths) body.append("filenames[]", path);
    await this.#ask("delete", body);
  }

  async #ask(
    method: "info" | "list" | "upload" | "delete",
    body?: FormData | URLSearchParams,
    milliseconds = TIMEOUTS.ask,
  ): Promise<ApiAnswer> {
    const headers = { authorization: `Bearer ${this.#key.value}` };
    // Requests that change the site are not repeated: a request that fails may have been served.
    const change = body === undefined ? {} : { method: "POST", body };
    const { ok, status, ...said } = await askHost(new URL(method, this.#base), {
      ...change,
      headers,
      milliseconds,
    }).catch((error: unknown) => {
      throw unreachable(error, this.#key);
    });
    const answer = answerIn(said.body.toString());
    if (ok && answer?.result === "success") return answer;
    throw refusal(method, status, answer, this.#key);
  }
}

function answerIn(text: string): ApiAnswer | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Whatever is printed may be published: in the log of a workflow, in a question to somebody. */
function withoutKey(text: string, { value }: Key): string {
  return text.replaceAll(value, "…");
}

function unreachable(error: unknown, key: Key): CommandError {
  const said = reasonOfSilence(error);
  const reason = withoutKey(said, key);
  return new CommandError({
    code: "NEOCITIES_UNREACHABLE",
    problem: `Neocities cannot be reached (${reason}).`,
    cure: "Check the connection, then run the same command again: it sends what is still missing.",
    exitCode: EXIT.failed,
    cause: reason === said ? error : undefined,
  });
}

function unclear(method: string): CommandError {
  return new CommandError({
    code: "NEOCITIES_ANSWER",
    problem: `Neocities gives an answer to "${method}" that rs-emit does not understand.`,
    cure: "Try again later.",
    exitCode: EXIT.failed,
  });
}

/** The API's own words for a refusal, and a cure. */
function refusal(
  method: string,
  status: number,
  answer: ApiAnswer | undefined,
  key: Key,
): CommandError {
  const { keptIn, isTyped } = key;
  const type = typeof answer?.error_type === "string" ? answer.error_type : "";
  const words =
    typeof answer?.message === "string" ? ` ("${withoutKey(answer.message, key)}")` : "";
  const fail = (code: string, problem: string, cure: string) =>
    new CommandError({ code, problem, cure, exitCode: EXIT.failed });
  if (type === "invalid_auth" || status === 401 || status === 403) {
    return fail(
      "NEOCITIES_KEY",
      `Neocities refuses the key${words}. Nothing was sent with this request.`,
      "Make a new one at https://neocities.org/settings (Manage Site Settings, API Key), and " +
        (keptIn === undefined
          ? isTyped
            ? "paste it when you are asked again."
            : "give it in NEOCITIES_API_KEY."
          : `run once with --save-key: the old one is kept in ${keptIn}.`),
    );
  }
  if (type === "invalid_file_type") {
    return fail(
      "NEOCITIES_FILE_TYPE",
      `Neocities refuses a file for its type${words}.`,
      "Leave it out, or become a supporter of Neocities.",
    );
  }
  if (/too_large|space|full/.test(type)) {
    return fail(
      "NEOCITIES_FULL",
      `The site has no room for this${words}.`,
      "Delete what is not needed any more, then run again: files that were sent stay, and the rest is sent.",
    );
  }
  if (status === 429) {
    return fail(
      "NEOCITIES_BUSY",
      "Neocities wants fewer requests.",
      "Wait some minutes, then run again.",
    );
  }
  return fail(
    "NEOCITIES_REFUSED",
    `Neocities answers ${status} to "${method}"${words}.`,
    "Run the same command again later: it goes on where it was.",
  );
}
