import { parseSiteUrl } from "@rs-emit/adapter";

type HostVariables = Readonly<Record<string, string | undefined>>;

/** The path prefix is added unless the address ends with it. */
export function siteUrl(
  option: string | undefined,
  pathPrefix: string | undefined,
  variables: HostVariables,
): string | undefined {
  // https://docs.netlify.com/build/configure-builds/environment-variables/
  const address = option ?? (variables.CONTEXT === "production" ? variables.URL : undefined);
  if (address === undefined) return undefined;
  const site = parseSiteUrl("url", address);
  const segments = (pathPrefix ?? "").split("/").filter((segment) => segment !== "");
  const prefix = segments.map((segment) => `${segment}/`).join("");
  const whole = parseSiteUrl("url", `${site}${prefix}`);
  return new URL(site).pathname.endsWith(`/${whole.slice(site.length)}`) ? site : whole;
}
