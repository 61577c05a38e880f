export type Variables = Readonly<Record<string, string | undefined>>;

/** Cloudflare Pages names only the branch; its production branch is a setting of the repository. */
const USUAL_PRODUCTION_BRANCHES = ["main", "master", "production"];

const HOSTS: readonly {
  readonly name: string;
  readonly isPreview: (variables: Variables, productionBranch: string | undefined) => boolean;
  /** Set for hosts that do not mark preview builds. */
  readonly branch?: (variables: Variables) => string | undefined;
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
    branch: ({ CF_PAGES_BRANCH }) => CF_PAGES_BRANCH,
  },
];

export function previewBuild(
  variables: Variables,
  productionBranch: string | undefined,
): string | undefined {
  const host = HOSTS.find(({ isPreview }) => isPreview(variables, productionBranch));
  if (host === undefined) return undefined;
  const branch = host.branch?.(variables);
  const cure =
    branch === undefined
      ? ""
      : ` If the branch ${branch} is the site itself, say so: productionBranch: "${branch}".`;
  return `A preview build on ${host.name}: no change log is published.${cure}`;
}
