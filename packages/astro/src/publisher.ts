import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  backUp,
  isEmitError,
  type Logger,
  lastChangedAsPublished,
  publishBuild,
  SOURCE_DESCRIPTION,
} from "@rs-emit/adapter";
import type { AstroIntegration } from "astro";
import { type BuiltSite, builderOf } from "./builder.ts";
import { noPrerenderedPageError, shown } from "./errors.ts";
import { readDatesOf } from "./last-changed.ts";
import type { AstroSettings } from "./options.ts";
import { backupFolder, type Project, projectOf } from "./project.ts";
import { type Route, servedRoutes, writtenFiles } from "./routes.ts";

export function publisher(settings: AstroSettings): AstroIntegration {
  let project: Project;
  let routes: readonly Route[] = [];
  let begun = 0;
  return {
    name: "@rs-emit/astro",
    hooks: {
      "astro:config:done": ({ config }) => {
        try {
          project = projectOf(config, settings);
        } catch (error) {
          throw shown(error);
        }
      },
      "astro:routes:resolved": (resolved) => {
        routes = resolved.routes;
      },
      "astro:build:start": async () => {
        begun = Date.now();
        await backUp(publishedFolder(project), backupFolder(project));
        const { sourceFiles: _, customPages: __, ...options } = settings;
        readDatesOf(() =>
          lastChangedAsPublished(
            options,
            project.url,
            publishedFolder(project),
            backupFolder(project),
          ),
        );
      },
      "astro:build:done": async ({ dir, assets, logger }) => {
        const folder = fileURLToPath(dir);
        const written = writtenFiles(routes, assets, folder);
        const site = { project, folder, written, served: servedRoutes(routes), begun };
        await publish(site, settings, logger);
      },
    },
  };
}

async function publish(site: BuiltSite, settings: AstroSettings, logger: Logger): Promise<void> {
  const { folder, project } = site;
  const { sourceFiles: _, customPages: __, ...options } = settings;
  try {
    await publishBuild({
      options,
      folder,
      url: project.url,
      builder: builderOf(site, settings),
      logger: inTerminal(logger),
      backup: backupFolder(project),
    });
  } catch (error) {
    const isServed = site.served.length > 0;
    throw shown(
      isServed && isEmitError(error, "EMPTY_SITE") ? noPrerenderedPageError(error) : error,
    );
  }
}

/** What Astro writes before a line of ours. */
const BEFORE = "00:00:00 [WARN] [@rs-emit/astro] ";

function inTerminal(logger: Logger): Logger {
  const { isTTY, columns } = process.stdout;
  return {
    columns: isTTY ? columns - BEFORE.length : undefined,
    info: (line) => logger.info(line),
    warn: (line) => logger.warn(line),
  };
}

/** Finds the documents that Astro will delete: the last build may have had no server. */
function publishedFolder({ outputs }: Project): string {
  const [besideServer, alone] = outputs;
  return existsSync(join(besideServer, SOURCE_DESCRIPTION)) ? besideServer : alone;
}
