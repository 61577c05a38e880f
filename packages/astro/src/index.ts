import type { AstroConfig, AstroIntegration } from "astro";
import { fillWhileServing } from "./development.ts";
import { shown } from "./errors.ts";
import { linkModule, listPlaces } from "./link.ts";
import { type AstroOptions, type AstroSettings, parseAstroOptions } from "./options.ts";
import { publisher } from "./publisher.ts";

export { lastChanged } from "./last-changed.ts";
export type { AstroOptions, AstroPage } from "./options.ts";

/**
 * Gives an Astro site a change log: `integrations: [rsEmit()]`.
 * @throws {EmitError} `OPTION` names the option, its value and what is allowed
 */
export default function rsEmit(options: AstroOptions = {}): AstroIntegration {
  const settings = settingsOf(options);
  let config: AstroConfig;
  return {
    name: "@rs-emit/astro",
    hooks: {
      "astro:config:setup": ({ command, updateConfig }) => {
        updateConfig({ vite: { plugins: [linkModule(() => listPlaces(config, settings))] } });
        if (command === "build") updateConfig({ integrations: [last(publisher(settings))] });
        if (command === "dev") updateConfig({ integrations: [fillWhileServing(settings)] });
      },
      "astro:config:done": (done) => {
        config = done.config;
      },
    },
  };
}

function settingsOf(options: unknown): AstroSettings {
  try {
    return parseAstroOptions(options);
  } catch (error) {
    throw shown(error);
  }
}

/** Hooks run in the order of integrations, so this one moves behind those that others add. */
function last(integration: AstroIntegration): AstroIntegration {
  const moving: AstroIntegration = {
    name: integration.name,
    hooks: {
      ...integration.hooks,
      "astro:config:setup": ({ config, updateConfig }) => {
        if (config.integrations.at(-1) === moving) return;
        moving.hooks = {};
        updateConfig({ integrations: [last(integration)] });
      },
    },
  };
  return moving;
}
