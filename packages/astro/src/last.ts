import type { AstroIntegration } from "astro";

/** Hooks run in the order of integrations, so this one moves behind those that others add. */
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
