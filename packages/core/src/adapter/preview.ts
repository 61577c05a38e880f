/** The environment's variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Cloudflare Pages names the branch only; it takes its production branch from the repository. */
const USUAL_PRODUCTION_BRANCHES = ["main", "master", "production"];

const HOSTS: readonly {
  readonly name: string;
  readonly isPreview: (variables: Variables, productionBranch: string | undefined) => boolean;
}[] = [
  // https://docs.netlify.com/build/configure-builds/environment-variables/
  {
    name: "Netlify",
    isPreview: ({ NETLIFY, CONTEXT }) =>
      NETLIFY === "true" && CONTEXT !== undefined && CONTEXT !== "production",
  },
  // https://vercel.com/docs/environment-variables/system-environment-variables
  {
    name: "Vercel",
    isPreview: ({ VERCEL, VERCEL_ENV }) =>
      VERCEL === "1" && VERCEL_ENV !== undefined && VERCEL_ENV !== "production",
  },
  // https://developers.cloudflare.com/pages/configuration/build-configuration/
  {
    name: "Cloudflare Pages",
    isPreview: ({ CF_PAGES, CF_PAGES_BRANCH: branch }, productionBranch) =>
      CF_PAGES === "1" &&
      branch !== undefined &&
      (productionBranch === undefined
        ? !USUAL_PRODUCTION_BRANCHES.includes(branch)
        : branch !== productionBranch),
  },
];

/**
 * The host whose preview build this is, since a preview must neither publish nor tell of deletions;
 * `undefined` for any other build.
 */
export function previewHost(
  variables: Variables,
  productionBranch: string | undefined,
): string | undefined {
  return HOSTS.find(({ isPreview }) => isPreview(variables, productionBranch))?.name;
}
