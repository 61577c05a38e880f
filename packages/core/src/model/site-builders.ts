/** Programs that build sites. docs/builders.md says more of each. */
interface KnownBuilder {
  /** What pages name as their generator, and build commands as the program. */
  readonly name: string;
  /** Its config, in the project's folder. */
  readonly config?: RegExp;
  /** A config that other programs have, too. */
  readonly sharedConfig?: RegExp;
  /** The site's address in the config, and the path below it. */
  readonly address?: readonly [site: RegExp, path?: RegExp];
}

const BUILDERS = [
  { name: "Eleventy", config: /^(?:\.eleventy\.c?js|eleventy\.config\.\w+)$/ },
  {
    name: "Jekyll",
    config: /^_config\.(?:ya?ml|toml)$/,
    address: [/^url:\s*(\S+)/m, /^baseurl:\s*(\S+)/m],
  },
  {
    name: "Hugo",
    config: /^hugo\.(?:toml|ya?ml|json)$/,
    sharedConfig: /^config(?:\.(?:toml|ya?ml|json))?$/,
    address: [/\bbase_?url\b["']?\s*[:=]\s*(\S+)/i],
  },
  { name: "MkDocs", config: /^mkdocs\.ya?ml$/, address: [/^site_url:\s*(\S+)/m] },
  {
    name: "Astro",
    config: /^astro\.config\.\w+$/,
    address: [/\bsite:\s*(["'`][^"'`]+)/, /\bbase:\s*(["'`][^"'`]+)/],
  },
  { name: "VitePress", config: /^\.vitepress$/ },
  { name: "Docusaurus", config: /^docusaurus\.config\.\w+$/ },
  { name: "Quartz", config: /^quartz\.config\.\w+$/ },
  { name: "SvelteKit", config: /^svelte\.config\.\w+$/ },
] as const satisfies readonly KnownBuilder[];

export type SiteBuilder = KnownBuilder & { readonly name: (typeof BUILDERS)[number]["name"] };

export const SITE_BUILDERS: readonly SiteBuilder[] = BUILDERS;

/** Whether a file, or a folder, of a project is the builder's config. */
export function isConfigOf({ config, sharedConfig }: SiteBuilder, name: string): boolean {
  return config?.test(name) === true || sharedConfig?.test(name) === true;
}
