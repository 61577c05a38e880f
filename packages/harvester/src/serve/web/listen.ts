import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { HarvestError } from "../../errors.ts";
import type { WebEnv } from "./environment.ts";

export class ListenError extends HarvestError {
  readonly code = "LISTEN";
  constructor(host: string, port: number, cause: Error) {
    const isTaken = "code" in cause && cause.code === "EADDRINUSE";
    super(
      isTaken
        ? `Something else listens on port ${port} of ${host} already. Choose another one: --port <number>.`
        : `Nothing can listen on port ${port} of ${host}: ${cause.message}.`,
      { cause },
    );
  }
}

export interface Listening {
  /** Its address on this machine; ends with a slash. */
  readonly url: string;
  /** Refuses new requests, and gives those under way a few seconds. */
  close(): Promise<void>;
}

/** Milliseconds in which a request must arrive, and in which answers must end on closing. */
const REQUEST = 30_000;
const GRACE = 5_000;

/** Port 0 takes a free one. Throws {@link ListenError}. */
export async function serve(
  app: Hono<WebEnv>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    hostname: host,
  });
  const server = createServer({ requestTimeout: REQUEST, headersTimeout: REQUEST }, listener);
  const address = await new Promise<string | AddressInfo | null>((resolve, reject) => {
    server.once("error", (error) => reject(new ListenError(host, port, error)));
    server.listen(port, host, () => resolve(server.address()));
  });
  const actual = address === null || typeof address === "string" ? port : address.port;
  return {
    url: `http://${hostInUrl(host)}:${actual}/`,
    close: async () => {
      const timeout = new AbortController();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.race([closed, pause(GRACE, undefined, timeout).catch(() => {})]);
      timeout.abort();
      server.closeAllConnections();
      await closed;
    },
  };
}

function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
