import type { Hono } from "hono";
import type { BodyEnv } from "../../src/serve/request-bodies.ts";
import { createApp } from "../../src/serve/web/app.ts";
import { createMetrics } from "../../src/serve/web/monitoring.ts";
import type { WebDependencies, WebEnv, WebSettings } from "../../src/serve/web/request-context.ts";
import type { TestHarvester } from "./harvest.ts";

export const HOST = "localhost:8480";

const SETTINGS: WebSettings = {
  access: { kind: "local" },
  publicUrl: undefined,
  trustProxy: false,
  hub: undefined,
  pollSitemaps: false,
  contact: "mailto:keeper@example.org",
};

/** A request to the service. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fields of a form that one of our own pages sends. */
  readonly form?: Readonly<Record<string, string>>;
  /** The address of who asks. */
  readonly from?: string;
  readonly host?: string;
}

/** A body that comes as it is asked for. */
export class ComingBody {
  /** Pieces that were asked for. */
  asked = 0;
  readonly stream: ReadableStream<Uint8Array>;

  /**
   * @param pieces of a body; after the last one it ends
   * @param end what it waits for before that
   */
  constructor(pieces: readonly string[], end?: Promise<unknown>) {
    this.stream = new ReadableStream(
      {
        pull: async (controller) => {
          const piece = pieces[this.asked];
          this.asked += 1;
          if (piece !== undefined) return controller.enqueue(new TextEncoder().encode(piece));
          await end;
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }
}

/** The service over a library, asked without a network. */
export class TestService {
  readonly app: Hono<WebEnv>;
  readonly metrics;
  /** What went wrong inside. */
  readonly problems: unknown[] = [];

  /** @param websub callbacks of hubs */
  constructor(library: TestHarvester, settings: Partial<WebSettings> = {}, websub?: Hono<BodyEnv>) {
    const dependencies: WebDependencies = {
      database: library.database,
      isInPlace: library.store.isInPlace,
      writing: library.database,
      settings: { ...SETTINGS, ...settings },
      now: library.now,
      report: (problem) => this.problems.push(problem),
    };
    this.metrics = createMetrics(library.database, library.now);
    this.app = createApp(dependencies, { metrics: this.metrics, websub });
  }

  /** Asks for a path. */
  async ask(path: string, asked: Asked = {}): Promise<Response> {
    const { form, from = "127.0.0.1", host = HOST, headers = {} } = asked;
    const method = asked.method ?? (form === undefined ? "GET" : "POST");
    const own =
      form === undefined ? {} : { "sec-fetch-site": "same-origin", origin: `http://${host}` };
    const init: RequestInit = { method, headers: { ...own, ...headers } };
    if (form !== undefined) init.body = new URLSearchParams(form);
    const environment = { incoming: { socket: { remoteAddress: from } } };
    return this.app.request(`http://${host}${path}`, init, environment);
  }

  /** Sends a form that is typed by hand. */
  async send(
    path: string,
    body: ReadableStream<Uint8Array>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const type = "application/x-www-form-urlencoded";
    const headers = { origin: `http://${HOST}`, "content-type": type, ...more };
    const init: RequestInit = { method: "POST", headers, body, duplex: "half" };
    const environment = { incoming: { socket: { remoteAddress: "127.0.0.1" } } };
    return this.app.request(`http://${HOST}${path}`, init, environment);
  }

  /** The text that a path answers with. */
  async text(path: string, asked?: Asked): Promise<string> {
    return (await this.ask(path, asked)).text();
  }
}
