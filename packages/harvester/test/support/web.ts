import type { Hono } from "hono";
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

/** The service over a library, asked without a network. */
export class TestService {
  readonly app: Hono<WebEnv>;
  readonly metrics;
  /** What went wrong inside. */
  readonly problems: unknown[] = [];

  /** @param websub callbacks of hubs */
  constructor(library: TestHarvester, settings: Partial<WebSettings> = {}, websub?: Hono) {
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

  /** The text that a path answers with. */
  async text(path: string, asked?: Asked): Promise<string> {
    return (await this.ask(path, asked)).text();
  }
}
