import { type FillPage, fillAsPublished } from "@rs-emit/adapter";
import type { AstroIntegration } from "astro";
import type { AstroSettings } from "./options.ts";
import { backupFolder, type Project, projectOf } from "./project.ts";

const MODULE = "virtual:rs-emit/fill";

/** A global, since Vite may load this package's modules a second time for the middleware. */
const FILL = Symbol.for("@rs-emit/astro fill");

const MIDDLEWARE = `export async function onRequest({ url }, next) {
  const response = await next();
  const fill = globalThis[Symbol.for(${JSON.stringify(FILL.description)})];
  return fill === undefined ? response : fill(response, url);
}`;

/** In `astro dev`, pages show what the last build published. */
export function fillWhileServing(settings: AstroSettings): AstroIntegration {
  return {
    name: "@rs-emit/astro/development",
    hooks: {
      "astro:config:setup": ({ addMiddleware, updateConfig }) => {
        updateConfig({ vite: { plugins: [fillModule] } });
        addMiddleware({ entrypoint: MODULE, order: "pre" });
      },
      "astro:config:done": async ({ config }) => {
        if (config.site === undefined && settings.url === undefined) return;
        const project = projectOf(config, settings);
        const { sourceFiles: _, customPages: __, ...options } = settings;
        const fill = await fillAsPublished(options, project.url, foldersOf(project));
        if (fill === undefined) return;
        const site = new URL(project.url).origin;
        Reflect.set(globalThis, FILL, (response: Response, url: URL) =>
          filled(response, new URL(url.pathname, site).href, fill),
        );
      },
    },
  };
}

const fillModule = {
  name: MODULE,
  resolveId: (id: string) => (id === MODULE ? `\0${MODULE}` : undefined),
  load: (id: string) => (id === `\0${MODULE}` ? MIDDLEWARE : undefined),
};

function foldersOf(project: Project): readonly string[] {
  return [...project.outputs, backupFolder(project)];
}

async function filled(response: Response, url: string, fill: FillPage): Promise<Response> {
  if (!/^text\/html\b/.test(response.headers.get("content-type") ?? "")) return response;
  const page = fill(new Uint8Array(await response.arrayBuffer()), url);
  const { headers, status, statusText } = response;
  headers.delete("content-length");
  return new Response(new Uint8Array(page), { headers, status, statusText });
}
