/** The package's own types declare a default export, which this CommonJS module lacks. */
declare module "robots-parser" {
  function parse(
    url: string,
    text: string,
  ): { isAllowed(url: string, agent: string): boolean | undefined; getSitemaps(): string[] };
  export = parse;
}
