import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";

/** Of requests whose bodies are bounded. */
export interface BodyEnv {
  readonly Variables: {
    /** Keeps room for a body until its request is answered. Throws {@link HTTPException}. */
    readonly hold: Hold;
  };
}

type Hold = (bytes: number) => void;

/** Seconds after which a refused client may try again. */
const AGAIN = 60;

/**
 * Bounds what all requests that are being answered hold of bodies. No body is read here: a route decides first who may send one.
 *
 * @param most bytes of all bodies together; who needs more than is left of them gets 503
 */
export function boundBodies(most: number) {
  let held = 0;
  return createMiddleware<BodyEnv>(async (context, next) => {
    let own = 0;
    context.set("hold", (bytes) => {
      if (held + bytes > most) {
        context.header("Retry-After", String(AGAIN));
        throw new HTTPException(503, {
          message: "Very much is sent to this service just now. Try again in a minute.",
        });
      }
      own += bytes;
      held += bytes;
    });
    try {
      await next();
    } finally {
      held -= own;
    }
  });
}

/**
 * Reads the body of a request. What is announced as too long stays unread, and so does what there is no room for.
 *
 * @param longest bytes
 * @throws {HTTPException} 413 for a longer one, 400 for one that breaks off, 503 while others hold too much
 */
export async function readBody(
  request: Request,
  longest: number,
  hold: Hold,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = Number(request.headers.get("content-length") ?? longest);
  const tooLong = () =>
    new HTTPException(413, { message: `No more than ${longest} bytes are read of that.` });
  if (length > longest) throw tooLong();
  hold(length);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const { value } = (await reader?.read().catch(refuseBroken)) ?? {};
    if (value === undefined) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    size += value.length;
    if (size > length) throw tooLong();
    pieces.push(value);
  }
}

/** The client has gone, or was too slow. */
function refuseBroken(cause: unknown): never {
  throw new HTTPException(400, { message: "The request broke off.", cause });
}
