import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { codeOf, HarvestError } from "@rs-emit/reader";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
import { takePing } from "../../store/following/next-check.ts";
import { type BodyEnv, boundBodies } from "../request-bodies.ts";
import { aboutRoutes } from "./about.ts";
import { blockedRoutes } from "./blocked.ts";
import { entryRoutes } from "./entries.ts";
import { feedRoutes } from "./feeds.ts";
import { ownNamesOnly, ownPagesOnly, readForm, securityHeaders } from "./guards.ts";
import { homeRoutes } from "./home.ts";
import { IMPORT_BYTES, importRoutes } from "./import.ts";
import { problemPage } from "./look/layout.ts";
import { ICON, STYLESHEET, STYLESHEET_NAME } from "./look/stylesheet.ts";
import { countRequests, healthzRoutes, type Metrics, metricsRoutes } from "./monitoring.ts";
import { viewFor, type WebDependencies, type WebEnv } from "./request-context.ts";
import { Authentication, signInRoutes } from "./sign-in.ts";
import { sourceRoutes } from "./sources/routes.ts";

/** Bytes that all forms and pings together may hold: two lists of sites, and many of the others. */
export const FORMS_HELD = 2.5 * IMPORT_BYTES;

interface AppParts {
  readonly metrics: Metrics;
  /** Callbacks of hubs, below `/websub`. */
  readonly websub?: Hono<BodyEnv> | undefined;
}

export function createApp(
  dependencies: WebDependencies,
  { metrics, websub }: AppParts,
): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const authentication = authenticationFor(dependencies);
  app.use(countRequests(metrics), securityHeaders(), compress());
  app.use(viewFor(dependencies, authentication), keptPrivate(), boundBodies(FORMS_HELD));
  app.onError((error, context) => {
    const isExpected = error instanceof HTTPException;
    if (!isExpected) dependencies.report(error);
    const status = isExpected ? error.status : 500;
    const text = isExpected
      ? error.message
      : "That is a fault of this service. Please try again later.";
    return context.html(problemPage(context.get("view"), status, text), status);
  });
  app.notFound((context) =>
    context.html(
      problemPage(context.get("view"), 404, "No page of this service has this address."),
      404,
    ),
  );
  // Hubs, sources and monitors are no browsers: the guards of pages come after their routes.
  if (websub !== undefined) app.route("/websub", websub);
  app.route("/", pingRoutes(dependencies));
  const mayMeasure = (context: Context<WebEnv>) =>
    authentication === undefined || context.get("view").rights.isSignedIn;
  app.route("/", healthzRoutes(dependencies)).route("/", metricsRoutes({ metrics, mayMeasure }));
  app.use(ownNamesOnly(dependencies.settings), ownPagesOnly(dependencies.settings));
  app.route("/", staticRoutes());
  app.route("/", feedRoutes(dependencies));
  app.route("/", homeRoutes(dependencies));
  app.route("/", aboutRoutes(dependencies));
  app.route("/", entryRoutes(dependencies));
  app.route("/", sourceRoutes(dependencies));
  app.route("/", importRoutes(dependencies));
  app.route("/", blockedRoutes(dependencies));
  if (authentication !== undefined) app.route("/", signInRoutes(dependencies, authentication));
  return app;
}

/** `undefined` for a service without a token. */
function authenticationFor({
  database,
  settings: { access, trustProxy },
  now,
}: WebDependencies): Authentication | undefined {
  if (access.kind === "local" || access.token === undefined) return undefined;
  return new Authentication({ database, token: access.token, trustProxy, now });
}

/** The default of `Cache-Control`: pages depend on the client's rights. What all clients share sets no cookie. */
function keptPrivate() {
  return createMiddleware<WebEnv>(async (context, next) => {
    const byDefault = "private, no-cache";
    context.header("Cache-Control", byDefault);
    await next();
    const { headers } = context.res;
    if (headers.get("Cache-Control") !== byDefault) headers.delete("Set-Cookie");
  });
}

/** The stylesheet's name changes with its content, so that browsers may keep it. */
function staticRoutes(): Hono<WebEnv> {
  return new Hono<WebEnv>()
    .get(`/${STYLESHEET_NAME}`, (context) =>
      context.body(STYLESHEET, 200, {
        "Content-Type": "text/css; charset=utf-8",
        "Cache-Control": "public, max-age=31536000, immutable",
      }),
    )
    .get("/icon.svg", (context) =>
      context.body(ICON, 200, {
        "Content-Type": "image/svg+xml",
        "Cache-Control": "public, max-age=86400",
      }),
    );
}

/** Bytes of a ping. */
const PING = 4_096;

/** `POST /ping` with a site's address as `url`. The answer is always 202, so that nobody learns from it which sites are followed. */
function pingRoutes({ writing, now, report }: Pick<WebDependencies, "writing" | "now" | "report">) {
  return new Hono<WebEnv>().post("/ping", async (context) => {
    const url = await readForm(context, PING).then(
      (field) => field("url"),
      () => "",
    );
    if (url !== "") await takePing(writing, url, now()).catch(report);
    return context.body(null, 202);
  });
}

function listenError(host: string, port: number, cause: Error): HarvestError {
  const place = `port ${port} of ${host}`;
  const fault =
    codeOf(cause) === "EADDRINUSE"
      ? {
          problem: `Something else listens on ${place} already.`,
          cure: "Choose another one: --port <number>.",
        }
      : { problem: `Nothing can listen on ${place}: ${cause.message}.` };
  return new HarvestError({ code: "LISTEN", ...fault, cause });
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

/** Port 0 takes a free one. Throws {@link HarvestError}. */
export async function listen(
  app: Hono<WebEnv>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    hostname: host,
  });
  const server = createServer({ requestTimeout: REQUEST, headersTimeout: REQUEST }, listener);
  const address = await new Promise<string | AddressInfo | null>((resolve, reject) => {
    server.once("error", (error) => reject(listenError(host, port, error)));
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
