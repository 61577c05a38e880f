import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { LRUCache } from "lru-cache";

/** A feed's document as it is sent. */
export interface RenderedFeed {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
}

type Render = () => Promise<string | undefined>;

/** Bytes of feeds that are kept, with and without compression. */
const MOST = 32 * 1024 * 1024;

const compressed = promisify(gzip);

/** Keeps the feeds asked for lately. Each is rendered once, however many clients ask at the same time. */
export class RenderedFeeds {
  readonly #kept = new LRUCache<string, RenderedFeed, Render>({
    maxSize: MOST,
    sizeCalculation: ({ plain, gzip }) => plain.length + gzip.length,
    fetchMethod: (_name, _stale, { context: render }) => rendered(render),
  });

  /** @param version names the bytes. `undefined` if `render` gives none. */
  get(version: string, render: Render): Promise<RenderedFeed | undefined> {
    return this.#kept.fetch(version, { context: render });
  }
}

export async function rendered(render: Render): Promise<RenderedFeed | undefined> {
  const text = await render();
  if (text === undefined) return undefined;
  const plain = Buffer.from(text);
  return { plain, gzip: await compressed(plain) };
}
