import type { AstroIntegration } from "astro";

/**
 * An integration whose hooks run after those of all others, also of those that others add: hooks run
 * in the order of the integrations, so that it moves behind whatever has come after it.
 */
export function last(integration: AstroIntegration): AstroIntegration {
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
