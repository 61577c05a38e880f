import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { openBody, oversized } from "./body.ts";
import type { FetchLimits } from "./limits.ts";
import { toFetchError } from "./problems.ts";

/** Headers of a response; names in lower case, values as Latin-1. */
export type Headers = Dispatcher.ResponseData["headers"];

/** A request that was answered: its response holds the host's turn until it is read or given up. */
export class Exchange {
  readonly url: string;
  readonly status: number;
  readonly #headers: Headers;
  readonly #body: Readable & Pick<Dispatcher.ResponseData["body"], "dump">;
  readonly #end: () => void;

  /** @param end to be called when the host may be asked again; more than once does no harm */
  constructor(
    url: string,
    { statusCode, headers, body }: Dispatcher.ResponseData,
    end: () => void,
  ) {
    this.url = url;
    this.status = statusCode;
    this.#headers = headers;
    this.#body = body;
    this.#end = end;
    // Whoever reads the body learns of its errors; if nobody does, they are nobody's.
    body.on("error", () => {});
    body.on("close", end);
  }

  /** The first header of a name. */
  header(name: string): string | undefined {
    const value = this.#headers[name];
    return typeof value === "object" ? value[0] : value;
  }

  /** All headers of a name, as the list that they are together (RFC 9110, section 5.3). */
  headerList(name: string): string | undefined {
    const value = this.#headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  /**
   * The body, without the compression of its transfer; may be read once.
   *
   * @throws {FetchError} while it is read
   */
  async *read({ bytes }: FetchLimits): AsyncGenerator<Uint8Array> {
    try {
      if (Number(this.header("content-length")) > bytes) throw oversized(this.url, bytes);
      yield* openBody(this.url, this.#body, this.headerList("content-encoding"), bytes);
    } catch (error) {
      throw toFetchError(this.url, error);
    } finally {
      this.#body.destroy();
      this.#end();
    }
  }

  /** Gives the body up unread. A short one is read away, so that its connection can be used again. */
  async discard(): Promise<void> {
    const timer = setTimeout(() => this.#body.destroy(), SHORT_BODY.milliseconds);
    // It rejects if that takes too long, and the connection is gone: either way the body is given up.
    await this.#body.dump({ limit: SHORT_BODY.bytes }).catch(() => {});
    clearTimeout(timer);
    this.#end();
  }
}

/** A body that is cheaper to read than a new connection. */
const SHORT_BODY = { bytes: 65_536, milliseconds: 1000 } as const;
