import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { HostServer } from "./server.ts";

/** A hub and a harvester: it takes whatever it is told, and remembers it. */
export class Listener extends HostServer {
  /** Each request as `METHOD path body`, decoded. */
  readonly requests: string[] = [];

  protected override async answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = decodeURIComponent(await text(request));
    this.requests.push(`${request.method} ${request.url} ${body}`);
    response.writeHead(202).end();
  }
}
