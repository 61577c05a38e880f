import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { openBody, oversized } from "./body.ts";
import { toFetchError } from "./errors.ts";
import type { FetchLimits } from "./fetch-limits.ts";

/** Names in lower case, values as Latin-1. */
type Headers = Dispatcher.ResponseData["headers"];

/** A response. It holds the host's turn until it is read or discarded. */
export class Exchange {
  readonly url: string;
  readonly status: number;
  readonly #headers: Headers;
  readonly #body: Readable & Pick<Dispatcher.ResponseData["body"], "dump">;
  #end: (() => void) | undefined;
  readonly #unpack: boolean;

  /**
   * @param end called once, when it is read or discarded
   * @param unpack the body is read without its own compression, too
   */
  constructor(
    url: string,
    { statusCode, headers, body }: Dispatcher.ResponseData,
    end: () => void,
    unpack = true,
  ) {
    this.url = url;
    this.status = statusCode;
    this.#headers = headers;
    this.#body = body;
    this.#end = end;
    this.#unpack = unpack;
    // Prevents an unhandled `error` event when the body is not read.
    body.on("error", () => {});
    body.on("close", () => this.#release());
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return typeof value === "object" ? value[0] : value;
  }

  /** All values of a header as one list (RFC 9110, section 5.3). */
  headerList(name: string): string | undefined {
    const value = this.#headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  async *read({ bytes }: FetchLimits): AsyncGenerator<Uint8Array> {
    try {
      if (Number(this.header("content-length")) > bytes) throw oversized(this.url, bytes);
      const coding = this.headerList("content-encoding");
      yield* openBody(this.url, this.#body, coding, bytes, this.#unpack);
    } catch (error) {
      throw toFetchError(this.url, error);
    } finally {
      this.#body.destroy();
      this.#release();
    }
  }

  /** Discards the body. Reads a short one to its end, so that its connection can be reused. */
  async discard(): Promise<void> {
    const timer = setTimeout(() => this.#body.destroy(), SHORT_BODY.milliseconds);
    // It rejects after a time-out, with the connection closed: the body is discarded either way.
    await this.#body.dump({ limit: SHORT_BODY.bytes }).catch(() => {});
    clearTimeout(timer);
    this.#release();
  }

  #release(): void {
    this.#end?.();
    this.#end = undefined;
  }
}

/** Cheaper to read than a new connection. */
const SHORT_BODY = { bytes: 65_536, milliseconds: 1000 } as const;
